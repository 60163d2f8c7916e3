package upstream

import (
	"encoding/json"
	"errors"
)

// How the wire types are read: leniently, as loose.go says, into the strict types that wire.go shows.

// UnmarshalJSON reads an execution; its results may stand under "result" or "results" (Task API, "Execution").
func (x *Execution) UnmarshalJSON(b []byte) error {
	var v struct {
		ExecutionID   looseString           `json:"executionId"`
		ExecutionTime looseString           `json:"executionTime"`
		Status        looseString           `json:"status"`
		Params        looseObject           `json:"params"`
		Result        looseList[ResultItem] `json:"result"`
		Results       looseList[ResultItem] `json:"results"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*x = Execution{
		ExecutionID: string(v.ExecutionID), ExecutionTime: string(v.ExecutionTime), Status: string(v.Status),
		Params: v.Params, Result: v.Result,
	}
	if len(x.Result) == 0 {
		x.Result = v.Results
	}
	return nil
}

// UnmarshalJSON reads a result item.
func (r *ResultItem) UnmarshalJSON(b []byte) error {
	var v struct {
		Status      looseString `json:"status"`
		Image       looseString `json:"image"`
		Video       looseString `json:"video"`
		VideoPoster looseString `json:"videoPoster"`
		LastFrame   looseString `json:"lastFrame"`
		Progress    Progress    `json:"progress"`
		Error       looseString `json:"error"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*r = ResultItem{
		Status: string(v.Status), Image: string(v.Image), Video: string(v.Video), VideoPoster: string(v.VideoPoster),
		LastFrame: string(v.LastFrame), Progress: v.Progress, Error: clean(string(v.Error), 500),
	}
	return nil
}

// UnmarshalJSON reads a task.
func (t *Task) UnmarshalJSON(b []byte) error {
	var v struct {
		TaskID       looseString          `json:"taskId"`
		AgentName    looseString          `json:"agentName"`
		AgentVersion looseString          `json:"agentVersion"`
		InitParams   looseObject          `json:"initParams"`
		Executions   looseList[Execution] `json:"executions"`
		CreatedAt    looseTime            `json:"createdAt"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*t = Task{
		TaskID: string(v.TaskID), AgentName: string(v.AgentName), AgentVersion: string(v.AgentVersion),
		InitParams: v.InitParams, Executions: v.Executions, CreatedAt: v.CreatedAt.at,
	}
	return nil
}

// UnmarshalJSON reads the state of a run.
func (s *RunStatus) UnmarshalJSON(b []byte) error {
	var t Task
	if err := t.UnmarshalJSON(b); err != nil {
		return err
	}
	*s = RunStatus{AgentName: t.AgentName, AgentVersion: t.AgentVersion, InitParams: t.InitParams, Executions: t.Executions}
	return nil
}

// UnmarshalJSON reads a page of tasks.
func (p *TaskPage) UnmarshalJSON(b []byte) error {
	var v struct {
		Tasks      looseList[Task] `json:"tasks"`
		HasMore    looseBool       `json:"hasMore"`
		NextCursor looseString     `json:"nextCursor"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*p = TaskPage{Tasks: v.Tasks, HasMore: v.HasMore == looseTrue, NextCursor: string(v.NextCursor)}
	return nil
}

// UnmarshalJSON reads agent info.
func (a *AgentInfo) UnmarshalJSON(b []byte) error {
	var v struct {
		AgentVersion  looseString             `json:"agentVersion"`
		Locations     looseList[Location]     `json:"locations"`
		FashionModels looseList[FashionModel] `json:"fashionModels"`
		Backgrounds   looseList[Background]   `json:"backgrounds"`
		Dimensions    looseList[Dimension]    `json:"dimensions"`
		Pagination    *Pagination             `json:"pagination"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*a = AgentInfo{
		AgentVersion: string(v.AgentVersion), Locations: v.Locations, FashionModels: v.FashionModels,
		Backgrounds: v.Backgrounds, Dimensions: v.Dimensions, Pagination: v.Pagination,
	}
	return nil
}

// UnmarshalJSON reads paging.
func (p *Pagination) UnmarshalJSON(b []byte) error {
	*p = Pagination{}
	if !object(b) {
		return nil
	}
	var v struct {
		Page          looseInt  `json:"page"`
		PageSize      looseInt  `json:"pageSize"`
		Locations     *PageMeta `json:"locations"`
		FashionModels *PageMeta `json:"fashionModels"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*p = Pagination{Page: int(v.Page), PageSize: int(v.PageSize), Locations: v.Locations, FashionModels: v.FashionModels}
	return nil
}

// UnmarshalJSON reads the paging of one resource. A last-page flag that is missing counts as the last page, so that
// paging ends.
func (m *PageMeta) UnmarshalJSON(b []byte) error {
	*m = PageMeta{IsLastPage: true}
	if !object(b) {
		return nil
	}
	var v struct {
		Total      looseInt  `json:"total"`
		IsLastPage looseBool `json:"isLastPage"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*m = PageMeta{Total: int(v.Total), IsLastPage: v.IsLastPage != looseFalse}
	return nil
}

// UnmarshalJSON reads a location.
func (l *Location) UnmarshalJSON(b []byte) error {
	var v struct {
		ID         looseInt       `json:"id"`
		Image      looseString    `json:"image"`
		Name       looseString    `json:"name"`
		Categories looseStrings   `json:"categories"`
		Tags       looseList[Tag] `json:"tags"`
		Status     looseString    `json:"status"`
		Type       looseString    `json:"type"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*l = Location{
		ID: int64(v.ID), Image: string(v.Image), Name: string(v.Name), Categories: v.Categories, Tags: v.Tags,
		Status: string(v.Status), Type: string(v.Type),
	}
	return nil
}

// UnmarshalJSON reads a fashion model.
func (m *FashionModel) UnmarshalJSON(b []byte) error {
	var v struct {
		ID      looseInt       `json:"id"`
		Image   looseString    `json:"image"`
		Name    looseString    `json:"name"`
		Profile *Profile       `json:"profile"`
		Type    looseString    `json:"type"`
		Tags    looseList[Tag] `json:"tags"`
		Status  looseString    `json:"status"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*m = FashionModel{
		ID: int64(v.ID), Image: string(v.Image), Name: string(v.Name), Profile: v.Profile, Type: string(v.Type),
		Tags: v.Tags, Status: string(v.Status),
	}
	return nil
}

// UnmarshalJSON reads a profile; nationality stays what it is, a number or a text.
func (p *Profile) UnmarshalJSON(b []byte) error {
	*p = Profile{}
	if !object(b) {
		return nil
	}
	var v struct {
		Nationality      any         `json:"nationality"`
		Style            looseString `json:"style"`
		PriceDescription looseString `json:"priceDescription"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*p = Profile{Nationality: v.Nationality, Style: string(v.Style), PriceDescription: string(v.PriceDescription)}
	return nil
}

// UnmarshalJSON reads a tag.
func (t *Tag) UnmarshalJSON(b []byte) error {
	var v struct {
		ID   looseInt    `json:"id"`
		Name looseString `json:"name"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*t = Tag{ID: int64(v.ID), Name: string(v.Name)}
	return nil
}

// UnmarshalJSON reads a background.
func (g *Background) UnmarshalJSON(b []byte) error {
	var v struct {
		ID    looseInt    `json:"id"`
		Image looseString `json:"image"`
		Name  looseString `json:"name"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*g = Background{ID: int64(v.ID), Image: string(v.Image), Name: string(v.Name)}
	return nil
}

// UnmarshalJSON reads a dimension.
func (d *Dimension) UnmarshalJSON(b []byte) error {
	var v struct {
		Name   looseString `json:"name"`
		Width  looseInt    `json:"width"`
		Height looseInt    `json:"height"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*d = Dimension{Name: string(v.Name), Width: int(v.Width), Height: int(v.Height)}
	return nil
}

// UnmarshalJSON reads a fashion model of the caller's own.
func (m *MyFashionModel) UnmarshalJSON(b []byte) error {
	var v struct {
		FashionModelID looseInt     `json:"fashionModelId"`
		Name           looseString  `json:"name"`
		Cover          looseString  `json:"cover"`
		Images         looseStrings `json:"images"`
		Status         looseString  `json:"status"`
		Error          looseString  `json:"error"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*m = MyFashionModel{
		FashionModelID: int64(v.FashionModelID), Name: string(v.Name), Cover: string(v.Cover), Images: v.Images,
		Status: string(v.Status), Error: string(v.Error),
	}
	return nil
}

// UnmarshalJSON reads a location of the caller's own.
func (l *MyLocation) UnmarshalJSON(b []byte) error {
	var v struct {
		LocationID looseInt    `json:"locationId"`
		Name       looseString `json:"name"`
		Cover      looseString `json:"cover"`
		Image      looseString `json:"image"`
		Status     looseString `json:"status"`
		Error      looseString `json:"error"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*l = MyLocation{
		LocationID: int64(v.LocationID), Name: string(v.Name), Cover: string(v.Cover), Image: string(v.Image),
		Status: string(v.Status), Error: string(v.Error),
	}
	return nil
}

// UnmarshalJSON reads the state of a PSD export.
func (j *PSDJob) UnmarshalJSON(b []byte) error {
	var v struct {
		ExecutionID looseString `json:"executionId"`
		Status      looseString `json:"status"`
		Result      *PSDResult  `json:"result"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*j = PSDJob{ExecutionID: string(v.ExecutionID), Status: string(v.Status), Result: v.Result}
	if j.Result != nil && j.Result.FileURL == "" {
		j.Result = nil
	}
	return nil
}

// UnmarshalJSON reads the file of a PSD export.
func (r *PSDResult) UnmarshalJSON(b []byte) error {
	*r = PSDResult{}
	if !object(b) {
		return nil
	}
	var v struct {
		FileURL looseString `json:"fileUrl"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	r.FileURL = string(v.FileURL)
	return nil
}

// handle is what answers that name something new carry.
type handle struct {
	TaskID         looseString `json:"taskId"`
	ExecutionID    looseString `json:"executionId"`
	FashionModelID looseInt    `json:"fashionModelId"`
	LocationID     looseInt    `json:"locationId"`
	Image          looseString `json:"image"`
	Video          looseString `json:"video"`
	Audio          looseString `json:"audio"`
	looseCharge
}

// handle reads the data of such an answer; data of another form holds none.
func (e envelope) handle() (handle, error) {
	var h handle
	if !object(e.Data) {
		return h, nil
	}
	if err := json.Unmarshal(e.Data, &h); err != nil {
		return h, errors.New("the answer's data cannot be read")
	}
	return h, nil
}

// Execution gives the execution of that id. Executions come in any order, so it is picked by id; an answer that holds a
// single execution without an id is taken to be the one that was asked for.
func (t Task) Execution(id string) (Execution, bool) { return pick(t.Executions, id) }

// Execution gives the execution of that id, as Task.Execution does.
func (s RunStatus) Execution(id string) (Execution, bool) { return pick(s.Executions, id) }

func pick(list []Execution, id string) (Execution, bool) {
	for _, x := range list {
		if x.ExecutionID == id {
			return x, true
		}
	}
	if len(list) == 1 && list[0].ExecutionID == "" {
		return list[0], true
	}
	return Execution{}, false
}
