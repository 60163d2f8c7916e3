package service

import (
	"context"

	"atelier/service/gen"
)

// layOut writes the layered file.
func (s *Service) layOut(context.Context, gen.Execution) error {
	return refuse("Layered files are not offered yet.")
}
