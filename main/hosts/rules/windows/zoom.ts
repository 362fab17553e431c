/** Zoom factors of the menu; 1 is the actual size. */
export const ZOOM_STEPS = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2] as const

/** The zoom factor for each display scale: a laptop and a large screen need different ones. */
export type Zooms = Readonly<Record<string, number>>

/** Scale factors are reported as 1.25 or 1.2500000476837158. */
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

/** From a file that may have been edited; invalid entries are ignored. */
export function readZooms(value: unknown): Zooms {
  if (typeof value !== 'object' || value === null) return {}
  const steps: readonly unknown[] = ZOOM_STEPS
  return Object.fromEntries(
    Object.entries(value).filter(([scale, factor]) => /^\d+\.\d\d$/.test(scale) && steps.includes(factor)),
  )
}
