import type { HistoryEntry } from '#shared/domain/manage/review.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useSession } from '../../../store/hooks.ts'
import { useName } from '../../people/index.ts'
import { useActionWords } from './words.ts'

/** Actions of which the place is the object. */
const ABOUT_CHANNEL = /^channel\.(?!type)/
/** Actions that the clock carries out. */
const BY_ITSELF = 'user.ban_ended'

/** Who, what, whom, where. */
export function Sentence({ entry }: { readonly entry: HistoryEntry }) {
  const t = useTexts('history')
  const words = useActionWords()
  const { action, byId, targetId, subject, cid, channelName } = entry
  const place = cid === undefined ? undefined : `#${cleanName(channelName ?? cid)}`
  const isAbout = ABOUT_CHANNEL.test(action)
  return (
    <>
      {action === BY_ITSELF ? null : byId === undefined ? <b>{t('program')}</b> : <Person userId={byId} />}{' '}
      {words(action)} {targetId === undefined || action.startsWith('poll.') ? null : <Person userId={targetId} />}{' '}
      {subject === undefined ? null : <b dir="auto">{t('reason', { reason: cleanName(subject) })}</b>}{' '}
      {place === undefined ? (
        action === 'user.ban' || action === 'user.unban' ? (
          t('everywhere')
        ) : null
      ) : isAbout ? (
        <b>
          <bdi>{place}</bdi>
        </b>
      ) : (
        <bdi>{t('in', { place })}</bdi>
      )}
    </>
  )
}

function Person({ userId }: { readonly userId: string }) {
  const t = useTexts('history')
  const name = useName(userId)
  const isMe = useSession().userId === userId
  return (
    <b>
      <bdi>{isMe ? t('you') : name}</bdi>
    </b>
  )
}
