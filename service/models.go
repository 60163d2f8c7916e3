package service

import (
	"net/http"

	"atelier/upstream"
)

const maxModelImages = 4 // Task API, "Create my fashion model"

// createFashionModel is Task API, "Create my fashion model".
func (s *Service) createFashionModel(r *http.Request, c caller) (reply, error) {
	var body upstream.MyFashionModelCreate
	if err := readJSON(r, &body); err != nil {
		return reply{}, err
	}
	if n := len(body.Images); n < 1 || n > maxModelImages {
		return reply{}, refuse("images must hold 1 to %d addresses; it holds %d.", maxModelImages, n)
	}
	id, err := s.createPreset(r, c, customFashionModel, body.Name, body.AgentName, body.AgentVersion, body.Images)
	if err != nil {
		return reply{}, err
	}
	return reply{data: upstream.MyFashionModel{FashionModelID: id}}, nil
}

// queryFashionModel is Task API, "Query my fashion model".
func (s *Service) queryFashionModel(r *http.Request, c caller) (reply, error) {
	id, err := queryID(r, customFashionModel)
	if err != nil {
		return reply{}, err
	}
	row, err := s.preset(r.Context(), c, customFashionModel, id)
	if err != nil {
		return reply{}, err
	}
	images, err := presetImages(row)
	if err != nil {
		return reply{}, err
	}
	return reply{data: upstream.MyFashionModel{
		FashionModelID: row.ID, Name: row.Name, Cover: presetPicture(c.base, row, images), Images: images, Status: row.Status, Error: row.Error,
	}}, nil
}

// deleteFashionModel is Task API, "Delete my fashion model".
func (s *Service) deleteFashionModel(r *http.Request, c caller) (reply, error) {
	var body struct {
		ID bodyID `json:"fashionModelId"`
	}
	if err := readJSON(r, &body); err != nil {
		return reply{}, err
	}
	return reply{}, s.deletePreset(r, c, customFashionModel, int64(body.ID))
}
