package gallery

import (
	"atelier/app/components"
	"atelier/atelier"
)

// What the components of the review would tell.
func (nobody) FixByHand()                         {}
func (nobody) PreviewAgain()                      {}
func (nobody) ShowPreview(bool)                   {}
func (nobody) ToggleHeat()                        {}
func (nobody) LockPixels(atelier.ResultID)        {}
func (nobody) CopyResult(atelier.ResultID)        {}
func (nobody) DeliverResult(atelier.ResultID)     {}
func (nobody) BoardResult(atelier.ResultID)       {}
func (nobody) LinkResult(atelier.ResultID)        {}
func (nobody) CompareRun(atelier.RunID)           {}
func (nobody) JudgeShown() components.VerdictPort { return nobody{} }
func (nobody) JudgeDesk() components.VerdictPort  { return nobody{} }
func (nobody) Pick(string)                        {}
func (nobody) Rate(int)                           {}
func (nobody) PressTile(string, bool, bool)       {}
func (nobody) ChooseTile(string, bool)            {}
func (nobody) RetryTile(string)                   {}
func (nobody) CloseDesk()                         {}
func (nobody) LookDesk(string)                    {}
func (nobody) LayOutDesk()                        {}
func (nobody) ZoomDesk()                          {}
func (nobody) SplitDesk(float64)                  {}
func (nobody) DeliverPicks()                      {}
func (nobody) ChooseItem(int)                     {}
func (nobody) CloseMenu()                         {}
