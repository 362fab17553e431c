import { useEffect, useRef } from 'react'
import { REACTION_SCORE_LIMIT } from '#shared/constants.ts'
import type { ReactionGroup } from '#shared/domain/reaction.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { cx } from '../../lib/cx.ts'
import { usePassFocus } from '../../lib/page/focus.ts'
import { isMotionReduced } from '../../lib/page/reduced-motion.ts'
import { useRoving, type Roving } from '../../lib/page/roving.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Tooltip } from '../../ui/Popover/Tooltip.tsx'
import { scoreReaction, toggleReaction } from './commands.ts'
import { glyphOf, MAX_GROUPS } from './glyphs.ts'
import { ReactionGlyph } from './ReactionGlyph.tsx'
import { useRaising } from './use-raising.ts'
import { isScored, useInAll, useWhoText } from './who.ts'
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
          onToggle={() => void dispatch(toggleReaction({ messageId, type: group.type }))}
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
