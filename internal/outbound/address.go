package outbound

import "net/netip"

// Ranges that are global by their form and must not be reached all the same: cloud metadata, translation and
// documentation prefixes, deprecated site-local addresses.
var denied = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "240.0.0.0/4", "168.63.129.16/32",
	"::/8", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16", "fec0::/10",
)

// Prefixes that hide an IPv4 address, and where its four bytes stand.
var embedded = []struct {
	prefix netip.Prefix
	at     int
}{
	{netip.MustParsePrefix("::ffff:0:0/96"), 12},
	{netip.MustParsePrefix("::/96"), 12},         // IPv4-compatible, deprecated
	{netip.MustParsePrefix("64:ff9b::/96"), 12},  // NAT64
	{netip.MustParsePrefix("64:ff9b:1::/48"), 6}, // local-use NAT64, RFC 8215 with RFC 6052 /48 placement: bytes 6,7,9,10
	{netip.MustParsePrefix("2002::/16"), 2},      // 6to4
}

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, s := range list {
		out[i] = netip.MustParsePrefix(s)
	}
	return out
}

// public says whether a is an address on the public internet. It allows only global unicast and unwraps every form of an
// IPv4 address inside an IPv6 one.
func public(a netip.Addr) bool {
	if a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	if a.Is6() {
		b := a.As16()
		if b[8]&0xfc == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe { // ISATAP
			return false
		}
		for _, e := range embedded {
			if !e.prefix.Contains(a) {
				continue
			}
			v4 := [4]byte{b[e.at], b[e.at+1], b[e.at+2], b[e.at+3]}
			if e.prefix.Bits() == 48 {
				v4 = [4]byte{b[6], b[7], b[9], b[10]}
			}
			return public(netip.AddrFrom4(v4)) && e.prefix.Bits() != 48
		}
	}
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || a.IsMulticast() || a.IsUnspecified() {
		return false
	}
	for _, p := range denied {
		if p.Contains(a) {
			return false
		}
	}
	return true
}
