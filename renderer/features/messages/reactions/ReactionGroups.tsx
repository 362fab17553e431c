import { useState } from 'react'
import type { ReactionGroup } from '#shared/domain/message.ts'
import type { MessageId, UserId } from '#shared/lib/brand.ts'
import { REACTION_CODES } from '#shared/rules/messages/emoji.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { selectEmojiByName } from '../../../store/selectors.ts'
import { useAppSelector, useEngine } from '../../../store/hooks.ts'
import { isEmoji } from '../../../lib/text/emoji-text.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Portrait, useNames } from '../../people/index.ts'
import { CustomEmoji } from '../../emoji/index.ts'
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

type Props = {
  readonly type: string
  /** CSS class for emoji. `textClass`: for other types, shown as text. */
  readonly emojiClass: string | undefined
  readonly textClass: string | undefined
}

/** A reaction type: an emoji, a custom emoji of that name, or the type as text. */
export function ReactionGlyph({ type, emojiClass, textClass }: Props) {
  const isCustom = useAppSelector((state) => selectEmojiByName(state).has(type))
  const { text, emoji } = glyphOf(type)
  if (isCustom && !emoji) {
    return (
      <span className={emojiClass}>
        <CustomEmoji name={type} otherwise={text} />
      </span>
    )
  }
  return <span className={emoji ? emojiClass : textClass}>{text}</span>
}

/** Maximum number of groups shown; the rest is "+n". */
export const MAX_GROUPS = 50

/** How to show a reaction type: an emoji, the emoji of a known code, or the type as text. */
export function glyphOf(type: string): { readonly text: string; readonly emoji: boolean } {
  const code = REACTION_CODES[type.toLowerCase()]
  if (code !== undefined) return { text: code, emoji: true }
  return { text: type.slice(0, 30), emoji: isEmoji(type) }
}

/** Who reacted, and the times of the first and the last reaction. */
export function useWhoText(group: ReactionGroup): { readonly who: string; readonly when: string } {
  const t = useTexts('messages')
  const formats = useFormats()
  const now = useMinute()
  const names = useNames(group.userIds)
  const others = group.count - names.length
  const first = formats.listTime(group.firstAt, now)
  const last = formats.listTime(group.lastAt, now)
  const who =
    names.length === 0
      ? t('reactions.count', { count: group.count })
      : others > 0
        ? t('reactions.andOthers', { names: names.join(', '), count: others })
        : formats.list(names)
  return { who, when: first === last ? last : t('reactions.between', { first, last }) }
}

/** Whether a user gave a score above 1, so that the sum differs from the count. */
export const isScored = ({ count, sumScores }: ReactionGroup): boolean => sumScores > count

/** The sum of the scores, and the viewer's part of it; `undefined` if every score is 1. */
export function useInAll(group: ReactionGroup): string | undefined {
  const t = useTexts('messages')
  const formats = useFormats()
  if (!isScored(group)) return undefined
  const sum = formats.number(group.sumScores)
  return group.own && group.ownScore !== undefined
    ? t('reactions.inAllOwn', { sum, own: group.ownScore })
    : t('reactions.inAll', { sum })
}
