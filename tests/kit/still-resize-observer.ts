/**
 * happy-dom has no layout, so nothing ever changes its size: `vi.stubGlobal('ResizeObserver', StillResizeObserver)`.
 */
export class StillResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
