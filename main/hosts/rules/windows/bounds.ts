export type Bounds = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** The stored bounds of a window. `maximized` is separate from the size before. */
export type WindowState = { readonly bounds: Bounds; readonly maximized: boolean; readonly fullscreen: boolean }

/** This much of the window must be on a display, so that it can be grabbed. */
const VISIBLE = 64

/**
 * Saved bounds if at least 64 × 64 px of them lie on one of the displays; otherwise none, and the system places the
 * window.
 */
export function restoreBounds(saved: unknown, displays: readonly Bounds[]): Bounds | undefined {
  const bounds = readBounds(saved)
  if (!bounds || bounds.width < VISIBLE || bounds.height < VISIBLE) return undefined
  const reachable = displays.some((display) => {
    const shared = overlap(bounds, display)
    return shared.width >= VISIBLE && shared.height >= VISIBLE
  })
  return reachable ? bounds : undefined
}

/** The same size in the middle of a display, as far as it fits. */
export function placedOn({ width, height }: Bounds, display: Bounds): Bounds {
  const size = { width: Math.min(width, display.width), height: Math.min(height, display.height) }
  return {
    ...size,
    x: display.x + Math.round((display.width - size.width) / 2),
    y: display.y + Math.round((display.height - size.height) / 2),
  }
}

/** Reads one window's state from a file that may have been edited; invalid values count as absent. */
export function readWindowState(value: unknown): WindowState | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const state = value as { bounds?: unknown; maximized?: unknown; fullscreen?: unknown }
  const bounds = readBounds(state.bounds)
  if (!bounds) return undefined
  return { bounds, maximized: state.maximized === true, fullscreen: state.fullscreen === true }
}

function readBounds(value: unknown): Bounds | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { x, y, width, height } = value as Record<string, unknown>
  const numbers = [x, y, width, height]
  if (!numbers.every((number) => Number.isSafeInteger(number))) return undefined
  return { x: x as number, y: y as number, width: width as number, height: height as number }
}

function overlap(a: Bounds, b: Bounds): { width: number; height: number } {
  return {
    width: Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x),
    height: Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y),
  }
}
