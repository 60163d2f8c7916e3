package model

import "atelier/atelier"

// RoleWord is a role as it is said in a sentence.
func RoleWord(r atelier.Role) string {
	if r == atelier.Admin {
		return "administrator"
	}
	return string(r)
}
