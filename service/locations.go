package service

import (
	"net/http"

	"atelier/upstream"
)

// createLocation is Task API, "Create my location".
func (s *Service) createLocation(r *http.Request, c caller) (reply, error) {
	var body upstream.MyLocationCreate
	if err := readJSON(r, &body); err != nil {
		return reply{}, err
	}
	if body.Image == "" {
		return reply{}, refuse("image is missing.")
	}
	id, err := s.createPreset(r, c, customLocation, body.Name, body.AgentName, body.AgentVersion, []string{body.Image})
	if err != nil {
		return reply{}, err
	}
	return reply{data: upstream.MyLocation{LocationID: id}}, nil
}

// queryLocation is Task API, "Query my location".
func (s *Service) queryLocation(r *http.Request, c caller) (reply, error) {
	id, err := queryID(r, customLocation)
	if err != nil {
		return reply{}, err
	}
	row, err := s.preset(r.Context(), c, customLocation, id)
	if err != nil {
		return reply{}, err
	}
	images, err := presetImages(row)
	if err != nil {
		return reply{}, err
	}
	return reply{data: upstream.MyLocation{
		LocationID: row.ID, Name: row.Name, Cover: presetPicture(c.base, row, images),
		Image: images[0], Status: row.Status, Error: row.Error,
	}}, nil
}

// deleteLocation is Task API, "Delete my location".
func (s *Service) deleteLocation(r *http.Request, c caller) (reply, error) {
	var body struct {
		ID bodyID `json:"locationId"`
	}
	if err := readJSON(r, &body); err != nil {
		return reply{}, err
	}
	return reply{}, s.deletePreset(r, c, customLocation, int64(body.ID))
}
