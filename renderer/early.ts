/**
 * A script of its own, which the page runs while that of the app is still loading: it connects to main, asks for the
 * snapshot, and loads the texts of the last language. Whatever it imports delays that.
 */
import { FirstAttach, connect } from './bridge/client.ts'
import { pageLanguages, resolveLanguage } from './i18n/detect.ts'
import { loadTexts } from './i18n/load-texts.ts'
import { hasRemembered } from './i18n/remembered-formats.ts'

/** A window of one channel or thread names it when it attaches: the app does that. */
const isOfOnePlace = /^\?(thread|channel)=/.test(location.search)

export const early = connect().then((bridge) => ({
  bridge,
  firstAttach: isOfOnePlace ? undefined : new FirstAttach(bridge),
}))
// It is awaited later; until then a rejection must not count as unhandled.
early.catch(() => undefined)
const language = resolveLanguage('system', pageLanguages())
// Repeated, and reported, when the texts are needed.
loadTexts(language).catch(() => undefined)
// The first of each reads the data of Chromium, 15 to 100 ms that the first screen would wait for.
if (!hasRemembered()) {
  new Intl.NumberFormat(language).format(0)
  new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' }).format(0)
}
