import { useState } from 'react'
import type { ReactionGroup } from '#shared/domain/message.ts'
import type { MessageId, UserId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useEngine } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Portrait, useNames } from '../../people/index.ts'
import { glyphOf, ReactionGlyph, useInAll, useWhoText } from './Reactions.tsx'
import styles from './Reactions.module.css'

type GroupsProps = { readonly messageId: MessageId; readonly groups: readonly ReactionGroup[] }

/** Who reacted with what and when, in the order of the first reaction. */
export function ReactionGroups({ messageId, groups }: GroupsProps) {
  const t = useTexts('messages')
  return (
    <ul className={styles['groups']} aria-label={t('reactions.label')}>
      {groups.map((group) => (
        <Group key={group.type} messageId={messageId} group={group} />
      ))}
    </ul>
  )
}

function Group({ messageId, group }: { readonly messageId: MessageId; readonly group: ReactionGroup }) {
  const t = useTexts('messages')
  const formats = useFormats()
  const more = useReactors(messageId, group)
  const names = useNames(more.userIds)
  const { when } = useWhoText(group)
  const inAll = useInAll(group)
  const glyph = glyphOf(group.type)
  const others = group.count - names.length
  return (
    <li>
      <div className={styles['groupHead']}>
        <ReactionGlyph type={group.type} emojiClass={styles['bigEmoji']} textClass={styles['text']} />
        <b>{formats.tally(group.count)}</b>
        {inAll === undefined ? null : <span>{inAll}</span>}
        <span className={styles['groupWhen']}>{when}</span>
      </div>
      <ul className={styles['people']} aria-label={t('reactions.by', { emoji: glyph.text })}>
        {more.userIds.map((id, index) => (
          <li key={id}>
            <Portrait userId={id} size={20} />
            <bdi>{names[index]}</bdi>
          </li>
        ))}
        {others > 0 ? <li className={styles['groupWhen']}>{t('reactions.others', { count: others })}</li> : null}
      </ul>
      {others > 0 && !more.complete ? (
        <Button size="small" variant="link" working={more.working} onClick={more.load}>
          {t('reactions.more')}
        </Button>
      ) : null}
      {more.failed ? (
        <p className={styles['groupWhen']} role="alert">
          {t('reactions.moreFailed')}
        </p>
      ) : null}
    </li>
  )
}

/** Everyone who reacted with one type: the newest are known, the others are loaded from the server page by page. */
function useReactors(messageId: MessageId, { type, userIds }: ReactionGroup) {
  const engine = useEngine()
  const [state, setState] = useState<{ ids: readonly UserId[]; next?: string; complete: boolean }>()
  const [working, setWorking] = useState(false)
  const [failed, setFailed] = useState(false)
  const load = async (): Promise<void> => {
    setWorking(true)
    setFailed(false)
    try {
      const page = await engine.messages.reactors({ messageId, type, next: state?.next })
      setState((before) => ({
        ids: [...new Set([...(before?.ids ?? []), ...page.userIds])],
        next: page.next,
        complete: page.next === undefined,
      }))
    } catch {
      setFailed(true)
    }
    setWorking(false)
  }
  return {
    userIds: [...new Set([...userIds, ...(state?.ids ?? [])])],
    complete: state?.complete === true,
    working,
    failed,
    load: (): void => void load(),
  }
}
