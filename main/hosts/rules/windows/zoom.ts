/** Factors between which the menu steps; 1 is the actual size. */
export const ZOOM_STEPS = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2] as const

/** By how much the windows are enlarged on displays of each scale: one size does not suit a laptop and a wall alike. */
export type Zooms = Readonly<Record<string, number>>

/** Scale factors come as 1.25 or 1.2500000476837158. */
const keyOf = (scale: number): string => scale.toFixed(2)

export const zoomAt = (zooms: Zooms, scale: number): number => zooms[keyOf(scale)] ?? 1

export function withZoom(zooms: Zooms, scale: number, step: 1 | -1 | 'actual'): Zooms {
  const now = zoomAt(zooms, scale)
  const next =
    step === 1
      ? ZOOM_STEPS.find((factor) => factor > now)
      : step === -1
        ? ZOOM_STEPS.findLast((factor) => factor < now)
        : 1
  return { ...zooms, [keyOf(scale)]: next ?? now }
}

/** From a file that people may have edited; anything odd counts as absent. */
export function readZooms(value: unknown): Zooms {
  if (typeof value !== 'object' || value === null) return {}
  const steps: readonly unknown[] = ZOOM_STEPS
  return Object.fromEntries(
    Object.entries(value).filter(([scale, factor]) => /^\d+\.\d\d$/.test(scale) && steps.includes(factor)),
  )
}
