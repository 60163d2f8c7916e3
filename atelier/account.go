package atelier

import "time"

// Person is somebody else who shows something, as everybody in the studio may know them.
type Person struct {
	ID   UserID `json:"id"`
	Name string `json:"name"`
}

// Role says what a user may do with what is theirs. Of what is another's, everybody sees the boards that are shown, and no role sees more.
type Role string

// The roles, each may do what the ones before it may.
const (
	Viewer   Role = "viewer"   // looks at and downloads what is there
	Designer Role = "designer" // makes, changes, spends
	Admin    Role = "admin"    // manages accounts too
)

// Roles lists the roles from the least to the most.
func Roles() []Role { return []Role{Viewer, Designer, Admin} }

// May says whether the role is at least as much as another.
func (r Role) May(least Role) bool { return r.rank() >= least.rank() && least.rank() > 0 }

// rank is 0 for what is no role.
func (r Role) rank() int {
	for i, known := range Roles() {
		if r == known {
			return i + 1
		}
	}
	return 0
}

// Entry answers GET /api/entry: how one gets in, for who is not signed in yet.
type Entry struct {
	Team  bool `json:"team"`            // by name and password; else by the address that was printed
	Setup bool `json:"setup,omitempty"` // there is no account yet: the setup code makes the first one
}

// Setup is the body of POST /api/setup: it makes the first account, an administrator's.
type Setup struct {
	Code     string `json:"code"`
	Name     string `json:"name"`
	Password string `json:"password"`
}

// The lengths of a password, in characters.
const (
	PasswordMin = 12
	PasswordMax = 128
)

// ChangePassword is the body of POST /api/password. All other sessions end.
type ChangePassword struct {
	Current  string `json:"current"`
	Password string `json:"password"`
}

// SignedIn is one browser that is signed in.
type SignedIn struct {
	ID        string    `json:"id"`
	Browser   string    `json:"browser"` // such as "Firefox on Windows"
	IP        string    `json:"ip,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
	SeenAt    time.Time `json:"seenAt"`
	Current   bool      `json:"current"` // it is the one that asks
}

// SignedInList answers GET /api/sessions, the one used last first.
type SignedInList struct {
	Sessions []SignedIn `json:"sessions"`
}

// Account is a user as administrators see it.
type Account struct {
	User
	Disabled  bool       `json:"disabled"`
	CreatedAt time.Time  `json:"createdAt"`
	SeenAt    *time.Time `json:"seenAt,omitempty"` // of the last sign-in
	Monthly   int        `json:"monthly"`          // how many results they may ask for in a month; AnyNumber = as many as they like
	Asked     int        `json:"asked"`            // how many they have asked for this month
	Cost      Cost       `json:"cost"`             // of their runs of this month
}

// AnyNumber is the number of results a month of who may ask for as many as they like.
const AnyNumber = -1

// MaxMonthly is the highest number of results a month that can be set.
const MaxMonthly = 1_000_000

// Allowance is what somebody may ask for within a calendar month of the server's clock: so many results. What the image service did not
// take is not counted.
type Allowance struct {
	Monthly int       `json:"monthly"`
	Asked   int       `json:"asked"` // this month
	Until   time.Time `json:"until"` // when the next month begins
}

// Left is how many results may still be asked for this month.
func (a Allowance) Left() int { return max(a.Monthly-a.Asked, 0) }

// AccountList answers GET /api/users, by name.
type AccountList struct {
	Accounts []Account `json:"accounts"`
}

// CreateAccount is the body of POST /api/users. Without a password the studio makes one up.
type CreateAccount struct {
	Name     string `json:"name"`
	Role     Role   `json:"role"`
	Password string `json:"password,omitempty"`
}

// UpdateAccount is the body of PATCH /api/users/{id}; nil leaves a thing as it is. Any change but that of Monthly
// ends the account's sessions.
type UpdateAccount struct {
	Role     *Role `json:"role,omitempty"`
	Disabled *bool `json:"disabled,omitempty"`
	// NewPassword has the studio make up a password.
	NewPassword bool `json:"newPassword,omitempty"`
	// Monthly is how many results they may ask for in a month, 0 to MaxMonthly, or AnyNumber.
	Monthly *int `json:"monthly,omitempty"`
}

// AccountBody answers POST and PATCH of accounts. Password is the one the studio made up; it is told once.
type AccountBody struct {
	Account  Account `json:"account"`
	Password string  `json:"password,omitempty"`
}
