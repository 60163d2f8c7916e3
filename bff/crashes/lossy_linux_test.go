//go:build linux

package crashes

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"atelier/internal/killable"
)

// lossyDisk is a file system that knows what a power cut would leave of it: of each file the bytes as of its last fsync, of
// each folder the names as of its own last fsync. It lives in memory, in a process of its own: whoever uses a file system that
// it serves itself may wait for itself.
type lossyDisk struct {
	mu sync.Mutex
}

// lossyNode is a file or a folder of a lossyDisk. Its fields are guarded by the disk.
type lossyNode struct {
	fs.Inode
	disk  *lossyDisk
	mode  uint32
	mtime time.Time
	// Of a file: its bytes, those as of its last fsync, and the pages that differ.
	live, safe []byte
	dirty      map[int]bool
	// Of a folder: its names as of its last fsync.
	names map[string]*lossyNode
}

const pageSize, sectorSize = 4096, 512

func (n *lossyNode) add(ctx context.Context, mode uint32, out *fuse.EntryOut) (*lossyNode, *fs.Inode) {
	child := &lossyNode{disk: n.disk, mode: mode, mtime: time.Now(), dirty: map[int]bool{}}
	child.fill(&out.Attr)
	return child, n.NewPersistentInode(ctx, child, fs.StableAttr{Mode: mode & syscall.S_IFMT})
}

func (n *lossyNode) fill(out *fuse.Attr) {
	out.Mode, out.Size, out.Blksize, out.Nlink = n.mode, uint64(len(n.live)), pageSize, 1
	out.SetTimes(&n.mtime, &n.mtime, &n.mtime)
}

// Getattr implements fs.NodeGetattrer.
func (n *lossyNode) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	n.fill(&out.Attr)
	return 0
}

// Lookup implements fs.NodeLookuper.
func (n *lossyNode) Lookup(_ context.Context, name string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	child := n.GetChild(name)
	if child == nil {
		return nil, syscall.ENOENT
	}
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	child.Operations().(*lossyNode).fill(&out.Attr)
	return child, 0
}

// Setattr implements fs.NodeSetattrer: lengths, rights and times.
func (n *lossyNode) Setattr(_ context.Context, _ fs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	if size, ok := in.GetSize(); ok {
		n.resize(int(size))
	}
	if mode, ok := in.GetMode(); ok {
		n.mode = n.mode&syscall.S_IFMT | mode&^syscall.S_IFMT
	}
	if t, ok := in.GetMTime(); ok {
		n.mtime = t
	}
	n.fill(&out.Attr)
	return 0
}

// resize cuts or lengthens a file. What is cut off or new differs from what is safe.
func (n *lossyNode) resize(size int) {
	for page := min(size, len(n.live)) / pageSize; page*pageSize < max(size, len(n.live)); page++ {
		n.dirty[page] = true
	}
	if size < len(n.live) {
		clear(n.live[size:])
		n.live = n.live[:size]
	} else {
		n.live = append(n.live, make([]byte, size-len(n.live))...)
	}
}

// Create implements fs.NodeCreater.
func (n *lossyNode) Create(ctx context.Context, _ string, _, mode uint32, out *fuse.EntryOut) (*fs.Inode, fs.FileHandle, uint32, syscall.Errno) {
	_, inode := n.add(ctx, syscall.S_IFREG|mode, out)
	return inode, nil, fuse.FOPEN_KEEP_CACHE, 0
}

// Mkdir implements fs.NodeMkdirer.
func (n *lossyNode) Mkdir(ctx context.Context, _ string, mode uint32, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	_, inode := n.add(ctx, syscall.S_IFDIR|mode, out)
	return inode, 0
}

// Open implements fs.NodeOpener. The cache stays, so that a mapped file is one for all.
func (n *lossyNode) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	return nil, fuse.FOPEN_KEEP_CACHE, 0
}

// Read implements fs.NodeReader.
func (n *lossyNode) Read(_ context.Context, _ fs.FileHandle, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	from := min(int(off), len(n.live))
	return fuse.ReadResultData(dest[:copy(dest, n.live[from:])]), 0
}

// Write implements fs.NodeWriter.
func (n *lossyNode) Write(_ context.Context, _ fs.FileHandle, data []byte, off int64) (uint32, syscall.Errno) {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	end := int(off) + len(data)
	if end > len(n.live) {
		n.resize(end)
	}
	copy(n.live[off:], data)
	for page := int(off) / pageSize; page*pageSize < end; page++ {
		n.dirty[page] = true
	}
	n.mtime = time.Now()
	return uint32(len(data)), 0
}

// Fsync implements fs.NodeFsyncer, for files and for folders.
func (n *lossyNode) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	if n.IsDir() {
		n.names = n.now()
		return 0
	}
	n.safe = slices.Clone(n.live)
	clear(n.dirty)
	return 0
}

// now gives the names of a folder as they are.
func (n *lossyNode) now() map[string]*lossyNode {
	names := map[string]*lossyNode{}
	for name, child := range n.Children() {
		names[name] = child.Operations().(*lossyNode)
	}
	return names
}

// Statfs implements fs.NodeStatfser: there is room.
func (n *lossyNode) Statfs(_ context.Context, out *fuse.StatfsOut) syscall.Errno {
	*out = fuse.StatfsOut{Blocks: 1 << 24, Bfree: 1 << 24, Bavail: 1 << 24, Files: 1 << 20, Ffree: 1 << 20, Bsize: pageSize, Frsize: pageSize, NameLen: 255}
	return 0
}

// Unlink implements fs.NodeUnlinker.
func (n *lossyNode) Unlink(context.Context, string) syscall.Errno { return 0 }

// Rmdir implements fs.NodeRmdirer.
func (n *lossyNode) Rmdir(_ context.Context, name string) syscall.Errno {
	if len(n.GetChild(name).Children()) > 0 {
		return syscall.ENOTEMPTY
	}
	return 0
}

// Rename implements fs.NodeRenamer.
func (n *lossyNode) Rename(context.Context, string, fs.InodeEmbedder, string, uint32) syscall.Errno {
	return 0
}

// settle makes everything safe, as if the machine had been idle for long.
func (n *lossyNode) settle() {
	if !n.IsDir() {
		n.safe = slices.Clone(n.live)
		clear(n.dirty)
		return
	}
	n.names = n.now()
	for _, child := range n.names {
		child.settle()
	}
}

// leave writes what a power cut leaves of a folder. all says that the names had reached the disk by themselves; the bytes of a
// file have done so page by page, some of them, one of them in part.
func (n *lossyNode) leave(random *rand.Rand, all bool, target string) error {
	names := n.names
	if all {
		names = n.now()
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		child, target := names[name], filepath.Join(target, name)
		switch {
		case child.IsDir():
			if err := errors.Join(os.MkdirAll(target, 0o700), child.leave(random, all, target)); err != nil {
				return err
			}
		case !strings.HasSuffix(name, "-shm"):
			if err := os.WriteFile(target, child.left(random), 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}

// left are the bytes of a file after a power cut.
func (n *lossyNode) left(random *rand.Rand) []byte {
	data := slices.Clone(n.safe)
	if len(n.dirty) == 0 {
		return data
	}
	pages := slices.Sorted(maps.Keys(n.dirty))
	torn, often := pages[random.IntN(len(pages))], random.IntN(5) // of four pages that many reached the disk
	for _, page := range pages {
		from := page * pageSize
		to := min(from+pageSize, len(n.live))
		if page == torn {
			to = min(from+sectorSize*(1+random.IntN(pageSize/sectorSize-1)), to)
		} else if random.IntN(4) >= often {
			continue
		}
		if from >= to {
			continue // it was cut off
		}
		if to > len(data) {
			data = append(data, make([]byte, to-len(data))...)
		}
		copy(data[from:to], n.live[from:to])
	}
	if len(data) > len(n.live) && random.IntN(2) == 0 {
		data = data[:len(n.live)] // it had been cut off, and this reached the disk
	}
	return data
}

// childDisk says that this process serves a lossyDisk; its value is the folder where it is mounted.
const childDisk = "ATELIER_TEST_CHILD_DISK"

// serveLossy is the child. It does what it is told line by line, answers each line with one, and ends with the lines.
func serveLossy(folder string) error {
	disk := &lossyDisk{}
	root := &lossyNode{disk: disk, mode: syscall.S_IFDIR | 0o700, mtime: time.Now()}
	server, err := fs.Mount(folder, root, &fs.Options{MountOptions: fuse.MountOptions{
		DirectMountStrict: true, ExplicitDataCacheControl: true, DisableXAttrs: true, FsName: "lossy", Name: "lossy",
	}})
	if err != nil {
		return err
	}
	fmt.Println("mounted")
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		disk.mu.Lock()
		var seed uint64
		var all bool
		var target string
		err := error(nil)
		if lines.Text() == "settle" {
			root.settle()
		} else if _, err = fmt.Sscanf(lines.Text(), "cut %d %t %q", &seed, &all, &target); err == nil {
			err = root.leave(rand.New(rand.NewPCG(seed, seed)), all, target)
		}
		disk.mu.Unlock()
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println("done")
	}
	return errors.Join(lines.Err(), server.Unmount())
}

// lossy is a lossyDisk as its user sees it.
type lossy struct {
	folder string // where it is mounted
	orders io.WriteCloser
	lines  *bufio.Scanner
	cmd    *exec.Cmd
	once   sync.Once
}

// mountLossy mounts an empty one, or skips the test where that is not allowed.
func mountLossy(t *testing.T) *lossy {
	t.Helper()
	d := &lossy{folder: t.TempDir()}
	d.cmd = exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0])
	d.cmd.Env = append(os.Environ(), childDisk+"="+d.folder)
	var complaint strings.Builder
	d.cmd.Stderr = &complaint
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if d.orders, err = d.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.unmount)
	if d.lines = bufio.NewScanner(out); !d.lines.Scan() {
		d.unmount()
		killable.Unable(t, "a file system of our own cannot be mounted here: %s", complaint.String())
	}
	return d
}

// unmount lets go of the disk. Nobody may have a file of it mapped any more.
func (d *lossy) unmount() {
	d.once.Do(func() {
		_ = d.orders.Close() // it ends
		if d.cmd.Wait() != nil {
			_ = syscall.Unmount(d.folder, syscall.MNT_DETACH) // it could not by itself
		}
	})
}

// order tells the disk to do something.
func (d *lossy) order(format string, args ...any) error {
	if _, err := fmt.Fprintf(d.orders, format+"\n", args...); err != nil {
		return err
	}
	if !d.lines.Scan() {
		return errors.New("the disk is gone")
	}
	if answer := d.lines.Text(); answer != "done" {
		return errors.New(answer)
	}
	return nil
}

// settle makes all that was written safe.
func (d *lossy) settle() error { return d.order("settle") }

// cut writes to target what a power cut at this moment leaves. all says that all names had reached the disk by themselves.
// Afterwards the disk goes on, as a machine does not: what comes later is nowhere to be found.
func (d *lossy) cut(seed uint64, all bool, target string) error {
	return d.order("cut %d %t %q", seed, all, target)
}
