package client

import (
	"context"

	"atelier/atelier"
)

const reviewLinks = "/api/review-links"

// ReviewLinks reads the review links, the newest first.
func (a *API) ReviewLinks(ctx context.Context) ([]atelier.ReviewLink, error) {
	var body atelier.ReviewLinkList
	err := a.call(ctx, "GET", reviewLinks, nil, &body)
	return body.Links, err
}

// CreateReviewLink makes one.
func (a *API) CreateReviewLink(ctx context.Context, c atelier.CreateReviewLink) (l atelier.ReviewLink, err error) {
	err = a.call(ctx, "POST", reviewLinks, c, &l)
	return l, err
}

// ReviewAnswers reads what the client of a link said.
func (a *API) ReviewAnswers(ctx context.Context, id atelier.ReviewLinkID) (out atelier.ReviewAnswers, err error) {
	err = a.call(ctx, "GET", reviewLinks+"/"+string(id), nil, &out)
	return out, err
}

// UpdateReviewLink sets how long a link works.
func (a *API) UpdateReviewLink(ctx context.Context, id atelier.ReviewLinkID, u atelier.UpdateReviewLink) (l atelier.ReviewLink, err error) {
	err = a.call(ctx, "PATCH", reviewLinks+"/"+string(id), u, &l)
	return l, err
}

// DeleteReviewLink deletes a link and its answers.
func (a *API) DeleteReviewLink(ctx context.Context, id atelier.ReviewLinkID) error {
	return a.call(ctx, "DELETE", reviewLinks+"/"+string(id), nil, nil)
}
