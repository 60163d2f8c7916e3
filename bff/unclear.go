package bff

import (
	"context"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/catalog"
	"atelier/db"
	"atelier/imaging/analysis"
	"atelier/imaging/segment"
)

// keepsClearly refuses a run whose automatic mask finds no clear region, where the agent takes a painted one: nothing
// is sent or counted before the user has decided. A photo looked at before, as for its preview, is answered at once;
// otherwise it takes a second or two. One that cannot be looked at is left to the image service.
func (s *Server) keepsClearly(ctx context.Context, run db.Run) error {
	agent, ok := s.agent(run.Agent, run.Version)
	if !ok || run.Asset == nil || run.MaskSHA256 != "" || !catalog.Paints(agent) {
		return nil
	}
	in := catalog.Fill(agent, catalog.Surface(run.Surface), catalog.Input{Values: run.Values})
	keep := catalog.KeepOf(agent, in.Values)
	if keep.MaskType == "" {
		return nil
	}
	var confidence float64
	asset, err := s.c.DB.LoadAsset(ctx, run.Asset.ID)
	if err == nil {
		confidence, err = s.confidence(ctx, asset, keep)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		s.log.WarnContext(ctx, "look at the photo of a run", "asset", run.Asset.ID, "error", err)
		return nil
	case !catalog.Sure(confidence):
		return atelier.Refuse(atelier.Unclear, words.RunUnclear)
	}
	return nil
}

// confidence is how sure the region is that an execution keeps of a picture.
func (s *Server) confidence(ctx context.Context, asset db.Asset, keep catalog.Keep) (float64, error) {
	found, err := s.c.Store.Kept(ctx, asset.Sent.SHA256, analysisOf(keep))
	return found.Confidence, err
}

// analysisOf describes to the analysis what an execution keeps.
func analysisOf(k catalog.Keep) analysis.Keep {
	return analysis.Keep{Kind: segment.Kind(k.MaskType), Product: k.Product, Stronger: k.Stronger, Garment: k.Garment}
}
