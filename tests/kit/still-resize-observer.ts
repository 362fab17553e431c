/** happy-dom lays nothing out, so nothing ever changes its size: `vi.stubGlobal('ResizeObserver', StillResizeObserver)`. */
export class StillResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
