import type { Settings } from '#shared/domain/settings.ts'
import { formatBytes } from '#shared/lib/byte-size.ts'
import type { ExportWords } from '#main/engine/features/export/writer.ts'
import { languageOf, type Translate } from '../texts.ts'

/** Texts, dates and sizes of an exported page, in the language and with the clock of the settings. */
export function exportWords(translate: Translate, settings: Pick<Settings, 'language' | 'clock'>): ExportWords {
  const language = languageOf(settings)
  const day = new Intl.DateTimeFormat(language, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  const is24h = settings.clock === 'auto' ? undefined : settings.clock === '24h'
  const time = new Intl.DateTimeFormat(language, {
    hour: 'numeric',
    minute: '2-digit',
    hour12: is24h === undefined ? undefined : !is24h,
  })
  return {
    language,
    text: (key, params) => translate('data', `page.${key}`, params),
    // The abbreviated word for year would end a sentence with two full stops.
    day: (at) => day.format(at).replace(/\s*г\.$/, ''),
    time: (at) => time.format(at),
    bytes: (bytes) => formatBytes(language, bytes),
  }
}
