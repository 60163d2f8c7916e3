package main

// visitFigures are those of a first, a second and later visits over 10 Mbit/s and 40 ms, beside the download of the program alone.
var visitFigures = []deskFigure{
	{"First visit until it can be used", "cold,_1/ms", "alone,_1/ms", 2100, 0},
	{"… first paint", "paint,_1/ms", "", 200, 0},
	{"Second visit", "second,_1/ms", "alone,_1/ms", 0, 0},
	{"Later visits", "warm,_1/ms", "alone,_1/ms", 250, 0},
	{"… beside a drawing by itself", "warm,_1/ms", "bare,_1/ms", 0, 0},
	{"On a machine four times slower: first visit", "cold,_4/ms", "alone,_4/ms", 2600, 0},
	{"… first paint", "paint,_4/ms", "", 0, 0},
	{"… second visit", "second,_4/ms", "alone,_4/ms", 0, 0},
	{"… later visits", "warm,_4/ms", "alone,_4/ms", 500, 0},
	{"… beside a drawing by itself", "warm,_4/ms", "bare,_4/ms", 0, 0},
}

// visit runs the benchmark of how long the studio takes to open.
func (m machine) visit() error {
	const name = "Visit over 10 Mbit/s, 40 ms"
	if !m.chosen.MatchString(name) {
		return nil
	}
	m.say("measuring " + name)
	said, failure, err := m.trace("BenchmarkVisit", "visit.trace")
	if err != nil {
		return err
	}
	if failure != "" {
		return m.print(name + ": not measured: " + failure + "\n\n")
	}
	t := &table{}
	t.add(name, "ours", "download alone", "ratio", "goal", "reached")
	for _, f := range visitFigures {
		t.add(f.cells(said)...)
	}
	return m.print(t.String())
}
