import { useFormats, useTexts } from '../../i18n/index.ts'
import { useMinute } from '../../lib/time/use-minute.ts'
import { tokenSays } from './token-says.ts'

/** The user of a pasted token, shown before connecting; never the token itself. */
export function TokenHint({ token }: { readonly token: string }) {
  const t = useTexts('session')
  const formats = useFormats()
  const now = useMinute()
  if (token.trim() === '') return t('hosted.tokenHint')
  const says = tokenSays(token)
  if (says === undefined) return t('hosted.tokenNone')
  const { userId: id, endsAt } = says
  if (id === undefined) return t('hosted.tokenNobody')
  if (endsAt !== undefined && endsAt <= now) return t('hosted.tokenOver', { id, time: formats.dayAndTime(endsAt) })
  return t('hosted.tokenFor', { id })
}
