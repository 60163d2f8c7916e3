package words

import "strconv"

// Number writes a whole number for the machinery of the page: styles, ids, addresses. It is the same in every language.
// It is called from a hundred places, each of which would hold a copy of it.
//
//go:noinline
func Number(n int) string { return strconv.Itoa(n) }

// Decimal is Number for so many decimals, -1 for as many as there are.
//
//go:noinline
func Decimal(n float64, decimals int) string { return strconv.FormatFloat(n, 'f', decimals, 64) }
