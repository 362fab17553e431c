import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react'
import { REACTION_SCORE_LIMIT } from '#shared/constants.ts'
import type { ReactionGroup } from '#shared/domain/message.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { REACTION_CODES } from '#shared/rules/messages/emoji.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { cx } from '../../../lib/cx.ts'
import { usePassFocus } from '../../../lib/page/focus.ts'
import { isMotionReduced } from '../../../lib/page/environment.ts'
import { useRoving, type Roving } from '../../../lib/page/roving.ts'
import { useAppDispatch, useAppSelector, useAppStore } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Tooltip } from '../../../ui/Popover/Popover.tsx'
import { command } from '../../../store/command.ts'
import { selectEmojiByName } from '../../../store/selectors.ts'
import type { AppState } from '../../../store/store.ts'
import { changedSince } from '../../../store/window/recent.ts'
import { isEmoji } from '../../../lib/text/emoji-text.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useNames } from '../../people/index.ts'
import { CustomEmoji } from '../../emoji/index.ts'
import styles from './Reactions.module.css'

type Props = {
  readonly messageId: MessageId
  readonly groups: readonly ReactionGroup[]
  /** Absent where the viewer may not react. */
  readonly onAdd?: (anchor: HTMLElement) => void
}

/** The reactions under a message, in the order of their first one, so that they do not move under the pointer. */
export function Reactions({ messageId, groups, onAdd }: Props) {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  const toggle = useToggleReaction()
  const drawn = groups.slice(0, MAX_GROUPS)
  const rest = groups.length - drawn.length
  const roving = useRoving({ ids: [...drawn.map(({ type }) => type), ADD], orientation: 'horizontal' })
  const { ref, ...listeners } = roving.containerProps
  return (
    <div
      ref={(element) => {
        ref.current = element
      }}
      {...listeners}
      className={styles['reactions']}
      role="group"
      aria-label={t('reactions.label')}
    >
      {drawn.map((group) => (
        <Chip
          key={group.type}
          group={group}
          stop={roving.itemProps(group.type)}
          disabled={onAdd === undefined}
          onToggle={() => void toggle(messageId, group.type)}
          onRaise={(score) => void dispatch(scoreReaction({ messageId, type: group.type, score }))}
        />
      ))}
      {rest > 0 ? <span className={styles['rest']}>{t('reactions.more', { count: rest })}</span> : null}
      {onAdd === undefined ? null : (
        <button
          {...roving.itemProps(ADD)}
          type="button"
          className={cx(styles['chip'], styles['add'])}
          aria-label={t('actions.react')}
          aria-haspopup="dialog"
          onClick={(event) => onAdd(event.currentTarget)}
        >
          <Icon name="smile-plus" size={17} />
        </button>
      )}
    </div>
  )
}

/** Roving id of the button at the end of the row; reaction types are not empty. */
const ADD = ''

type ChipProps = {
  readonly group: ReactionGroup
  readonly stop: ReturnType<Roving['itemProps']>
  readonly disabled: boolean
  readonly onToggle: () => void
  readonly onRaise: (score: number) => void
}

function Chip({ group, stop, disabled, onToggle, onRaise }: ChipProps) {
  const t = useTexts('messages')
  const formats = useFormats()
  const glyph = glyphOf(group.type)
  const ref = useRef<HTMLButtonElement>(null)
  usePassFocus(ref, '[data-message-id]')
  const before = useRef(group.sumScores)
  useEffect(() => {
    // Animates an increase, not the first render.
    if (group.sumScores > before.current && !isMotionReduced()) ref.current?.animate?.(POP, POP_TIME)
    before.current = group.sumScores
  }, [group.sumScores])
  const { rising, props } = useRaising({
    group,
    disabled,
    onToggle,
    onRaise: (score) => {
      onRaise(score)
      announce(t('reactions.given', { emoji: glyph.text, score, most: REACTION_SCORE_LIMIT }))
    },
  })
  return (
    <Tooltip text={<Who group={group} mayRaise={!disabled} />} side="above" describes>
      <button
        {...stop}
        {...props}
        ref={ref}
        type="button"
        className={cx(styles['chip'], (group.own || rising !== undefined) && styles['own'])}
        aria-pressed={group.own}
        aria-disabled={disabled || undefined}
        aria-keyshortcuts={disabled ? undefined : 'Shift+Enter'}
        aria-label={nameOf(group, glyph.text, t)}
      >
        <ReactionGlyph type={group.type} emojiClass={styles['emoji']} textClass={styles['text']} />
        <span>{rising === undefined ? formats.tally(group.count) : t('reactions.rising', { score: rising })}</span>
        {rising === undefined && isScored(group) ? (
          <span className={styles['sum']}>{t('reactions.sum', { sum: formats.tally(group.sumScores) })}</span>
        ) : null}
      </button>
    </Tooltip>
  )
}

function nameOf(group: ReactionGroup, emoji: string, t: ReturnType<typeof useTexts<'messages'>>): string {
  const { count, sumScores: sum, own, ownScore } = group
  if (!isScored(group)) return t(own ? 'reactions.chipOwn' : 'reactions.chip', { emoji, count })
  return own && ownScore !== undefined
    ? t('reactions.chipScoredOwn', { emoji, count, sum, own: ownScore })
    : t('reactions.chipScored', { emoji, count, sum })
}

const POP: Keyframe[] = [{ transform: 'scale(1)' }, { transform: 'scale(1.12)' }, { transform: 'scale(1)' }]
const POP_TIME = { duration: 200, easing: 'cubic-bezier(0.3, 1.5, 0.5, 1)' }

/** Up to ten names, how many others, and when. */
function Who({ group, mayRaise }: { readonly group: ReactionGroup; readonly mayRaise: boolean }) {
  const t = useTexts('messages')
  const text = useWhoText(group)
  const inAll = useInAll(group)
  return (
    <span className={styles['who']}>
      <span>{text.who}</span>
      {inAll === undefined ? null : <span>{inAll}</span>}
      <span className={styles['when']}>{text.when}</span>
      {mayRaise ? <span className={styles['when']}>{t('reactions.hold', { most: REACTION_SCORE_LIMIT })}</span> : null}
    </span>
  )
}

/** Adds a reaction with this score, or raises the viewer's own to it. Predicted at once. */
const scoreReaction = command(
  'messages/reactionScored',
  (input: { messageId: MessageId; type: string; score: number }, engine) => engine.messages.scoreReaction(input),
)

/** Adds or removes the viewer's reaction. Predicted at once; the server confirms it. */
export const toggleReaction = command(
  'messages/reactionToggled',
  (input: { messageId: MessageId; type: string }, engine) => engine.messages.toggleReaction(input),
  {
    undo: ({ messageId, type }, before) => {
      const had = hasReacted(before, messageId, type)
      return {
        code: had ? 'reaction/removed' : 'reaction/added',
        params: { emoji: glyphOf(type).text },
        undo: async ({ engine, getState }) => {
          if (hasReacted(getState(), messageId, type) === had) throw changedSince()
          await engine.messages.toggleReaction({ messageId, type })
        },
      }
    },
  },
)

const hasReacted = ({ entities }: AppState, messageId: MessageId, type: string): boolean =>
  entities.messages[messageId]?.reactions.some((group) => group.type === type && group.own) ?? false

/** Adds a reaction of the viewer or removes it, and announces which. */
export function useToggleReaction(): (messageId: MessageId, type: string) => Promise<void> {
  const t = useTexts('messages')
  const store = useAppStore()
  return useCallback(
    async (messageId, type) => {
      const isOwn = hasReacted(store.getState(), messageId, type)
      const done = await store.dispatch(toggleReaction({ messageId, type }))
      if (done.ok) announce(t(isOwn ? 'announce.unreacted' : 'announce.reacted', { emoji: glyphOf(type).text }))
    },
    [store, t],
  )
}

/** A press of this length counts as holding. */
const HOLD_MS = 450
/** While held, the score rises by one after each of these. */
const STEP_MS = 200

type Options = {
  readonly group: ReactionGroup
  readonly disabled: boolean
  readonly onToggle: () => void
  readonly onRaise: (score: number) => void
}

/**
 * A click toggles the reaction; while held, its score rises by one at a time and is sent on release. Shift+Enter raises it
 * by one.
 */
function useRaising({ group, disabled, onToggle, onRaise }: Options) {
  const [rising, setRising] = useState<number>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wasHeld = useRef(false)
  useEffect(() => () => clearTimeout(timer.current), [])
  // Among many reactions the viewer's own score may be unknown; then it cannot be raised.
  const from = group.own ? group.ownScore : 0
  const next = disabled || from === undefined || from >= REACTION_SCORE_LIMIT ? undefined : from + 1
  const grow = (score: number): void => {
    setRising(score)
    if (score < REACTION_SCORE_LIMIT) timer.current = setTimeout(() => grow(score + 1), STEP_MS)
  }
  const letGo = (): void => {
    clearTimeout(timer.current)
    setRising(undefined)
  }
  return {
    /** The score that a release would send; absent while not held. */
    rising,
    props: {
      onPointerDown: ({ button }: PointerEvent): void => {
        wasHeld.current = false
        if (button === 0 && next !== undefined) timer.current = setTimeout(() => grow(next), HOLD_MS)
      },
      onPointerUp: (): void => {
        wasHeld.current = rising !== undefined
        letGo()
        if (rising !== undefined) onRaise(rising)
      },
      onPointerLeave: letGo,
      onPointerCancel: letGo,
      onClick: ({ shiftKey }: MouseEvent): void => {
        if (disabled || wasHeld.current) wasHeld.current = false
        else if (!shiftKey) onToggle()
        else if (next !== undefined) onRaise(next)
      },
      onKeyDown: (event: KeyboardEvent): void => {
        if (event.key !== 'Enter' || !event.shiftKey) return
        event.preventDefault()
        event.stopPropagation()
        if (next !== undefined) onRaise(next)
      },
    },
  }
}

type GlyphProps = {
  readonly type: string
  /** CSS class for emoji. `textClass`: for other types, shown as text. */
  readonly emojiClass: string | undefined
  readonly textClass: string | undefined
}

/** A reaction type: an emoji, a custom emoji of that name, or the type as text. */
export function ReactionGlyph({ type, emojiClass, textClass }: GlyphProps) {
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
const MAX_GROUPS = 50

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
const isScored = ({ count, sumScores }: ReactionGroup): boolean => sumScores > count

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
