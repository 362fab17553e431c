import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'

/** The shape of the settings, checked on the bridge and on disk. Bounds are the design reference's. */
export const settingsSchema = v.object({
  theme: v.picklist(['system', 'light', 'dark', 'hc-light', 'hc-dark']),
  density: v.picklist(['comfortable', 'compact']),
  textScale: v.pipe(v.number(), v.minValue(90), v.maxValue(150)),
  motion: v.picklist(['system', 'full', 'reduced']),
  language: v.picklist(['system', 'en', 'pl', 'ru']),
  clock: v.picklist(['auto', '12h', '24h']),
  enterSends: v.boolean(),
  publishTyping: v.boolean(),
  sidebarWidth: v.pipe(v.number(), v.minValue(220), v.maxValue(360)),
  panelWidth: v.pipe(v.number(), v.minValue(340), v.maxValue(560)),
  sidebarCollapsed: v.boolean(),
  closedSections: v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(100)),
  lastChannel: v.optional(v.pipe(v.string(), v.maxLength(129))),
})

export const settings = {
  /** Changes some settings; every window hears of it. */
  update: call<void>()(v.partial(settingsSchema)),
}
