import { SAFE_TEXT_KEYS, type SafePage } from '#shared/domain/desktop/desktop.ts'
import type { Settings } from '#shared/domain/settings.ts'
import * as drafts from '#main/cache/outbox/drafts.ts'
import * as intents from '#main/cache/outbox/intents.ts'
import type { Account } from '../accounts/account.ts'
import { languageOf, type Translate } from '../texts.ts'

/** Data for the safe page, shown after a window's page crashed repeatedly: a few texts, and the unsent messages. */
export function safePage(account: Account | undefined, settings: Settings, translate: Translate): SafePage {
  return {
    text: Object.fromEntries(
      SAFE_TEXT_KEYS.map((key) => [key, translate('desktop', `safe.${key}`)]),
    ) as SafePage['text'],
    theme: settings.theme,
    language: languageOf(settings),
    unsent: account ? unsentOf(account) : '',
  }
}

/** By place, oldest first within it. */
function unsentOf({ engine }: Account): string {
  const reader = engine.stores.outbox.reader
  const waiting = intents.all(reader).flatMap(({ cid, payload }) => {
    const text = textOf(payload)
    return text === '' ? [] : [`${cid}\n\n${text}`]
  })
  const written = drafts.all(reader).flatMap(({ key, text }) => (text === '' ? [] : [`${key}\n\n${text}`]))
  return [...waiting, ...written].join('\n\n\n')
}

function textOf(payload: unknown): string {
  if (typeof payload !== 'object' || payload === null || !('text' in payload)) return ''
  return typeof payload.text === 'string' ? payload.text : ''
}
