package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/service/gen"
	"atelier/upstream"
)

// uploadField is the form field of both upload endpoints.
const uploadField = "image"

// uploadImage is Task API, "Upload image", and Run API, "Upload a local image". The file is streamed to disk; its first
// part with the right name counts.
// ASSUMED [Upload on the run surface]: both endpoints have the limits of the first.
func (s *Service) uploadImage(r *http.Request, c caller) (reply, error) {
	u, err := s.upload(r, c, uploadField, s.storeUpload)
	return reply{data: upstream.Uploaded{Image: u}}, err
}

// upload stores the file in a form field and gives its URL.
func (s *Service) upload(r *http.Request, c caller, field string, store func(r *http.Request, c caller, field string, from io.Reader) (id string, err error)) (url string, err error) {
	what := "picture"
	if m, ok := media[field]; ok {
		what = m.what
	}
	form, err := r.MultipartReader()
	if err != nil {
		return "", wrongMedia("Send the %s as multipart/form-data in the field %q.", what, field)
	}
	there := "no file"
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return "", refuse("The field %q with the %s is missing; there is %s.", field, what, there)
		}
		if err != nil {
			return "", brokenForm(err)
		}
		if part.FormName() != field {
			if part.FileName() != "" {
				there = fmt.Sprintf("a file in %q", clip(part.FormName()))
			}
			continue
		}
		id, err := store(r, c, field, part)
		if err != nil {
			return "", err
		}
		return fileURL(c.base, id), nil
	}
}

func brokenForm(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return err
	}
	return refuse("The upload ended before the file was complete.")
}

func (s *Service) storeUpload(r *http.Request, c caller, field string, from io.Reader) (id string, err error) {
	d, err := s.files.draft()
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, d.discard()) }()
	limit := probe.Upload.MaxBytes
	if _, err := io.Copy(d, io.LimitReader(from, limit+1)); err != nil {
		return "", brokenUpload(err)
	}
	if d.size > limit {
		return "", tooLarge(field, limit)
	}
	facts, err := s.inspectUpload(r.Context(), d)
	if err != nil {
		return "", err
	}
	return s.keep(r.Context(), d, gen.CreateFileParams{
		AccountID: c.account, Kind: kindUpload,
		MediaType: facts.Format.MediaType(), Width: int64(facts.Width), Height: int64(facts.Height),
	},
		facts.Format.Extension(), nil)
}

func tooLarge(field string, limit int64) error {
	return &failure{
		status: http.StatusRequestEntityTooLarge, code: upstream.CodeParameter,
		message: fmt.Sprintf("%s: the file is larger than %d MB (%d bytes).", field, limit>>20, limit),
	}
}

// inspectUpload checks the limits of an upload, then the structure of the file. What has its end is not decoded.
func (s *Service) inspectUpload(ctx context.Context, d *draft) (probe.Facts, error) {
	release, err := s.takeLarge(ctx, d.size)
	if err != nil {
		return probe.Facts{}, err
	}
	defer release()
	data, err := d.content()
	if err != nil {
		return probe.Facts{}, err
	}
	facts, problems, err := probe.Upload.Inspect(data, d.size)
	if err != nil {
		return facts, badPicture(uploadField, err)
	}
	if len(problems) > 0 {
		return facts, refuse("%s: %s", uploadField, problems[0].Sentence())
	}
	if _, err := imaging.Inspect(data, imaging.DefaultLimits); err != nil {
		return facts, badPicture(uploadField, err)
	}
	if facts.Format == probe.JPEG {
		// One without its end mark is whole, or was cut anywhere: only its decoder can tell.
		if w, err := probe.ReadWork(data, facts, probe.MaxScans, probe.MaxVisits); err == nil && !w.Ended {
			_, err := decodePicture(ctx, uploadField, data)
			return facts, err
		}
	}
	return facts, nil
}

// brokenUpload tells a connection that broke off from a disk that did.
func brokenUpload(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return brokenForm(err)
	}
	return err
}
