import { useEffect, useRef } from 'react'
import type { ReactionGroup } from '#shared/domain/reaction.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { isMotionReduced } from '../../lib/reduced-motion.ts'
import { useRoving, type Roving } from '../../lib/roving.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { toggleReaction } from './commands.ts'
import { glyphOf, MAX_GROUPS } from './glyphs.ts'
import { ReactionGlyph } from './ReactionGlyph.tsx'
import { useWhoWords } from './who.ts'
import styles from './Reactions.module.css'

type Props = {
  readonly messageId: MessageId
  readonly groups: readonly ReactionGroup[]
  /** Absent where the viewer may not react. */
  readonly onAdd?: ((anchor: HTMLElement) => void) | undefined
}

/** The reactions under a message, in the order of their first one; never sorted again under the pointer. */
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

/** The last stop of the row: no reaction has this name, for their types are not empty. */
const ADD = ''

type ChipProps = {
  readonly group: ReactionGroup
  readonly stop: ReturnType<Roving['itemProps']>
  readonly disabled: boolean
  readonly onToggle: () => void
}

function Chip({ group, stop, disabled, onToggle }: ChipProps) {
  const t = useTexts('messages')
  const formats = useFormats()
  const glyph = glyphOf(group.type)
  const ref = useRef<HTMLButtonElement>(null)
  const before = useRef(group.count)
  useEffect(() => {
    // A count that grew is drawn with a small pop; the chip's first appearance is not.
    if (group.count > before.current && !isMotionReduced()) ref.current?.animate?.(POP, POP_TIME)
    before.current = group.count
  }, [group.count])
  return (
    <Tooltip text={<Who group={group} />} side="above" describes>
      <button
        {...stop}
        ref={ref}
        type="button"
        className={cx(styles['chip'], group.own && styles['own'])}
        aria-pressed={group.own}
        aria-disabled={disabled || undefined}
        aria-label={t(group.own ? 'reactions.chipOwn' : 'reactions.chip', { emoji: glyph.text, count: group.count })}
        onClick={disabled ? undefined : onToggle}
      >
        <ReactionGlyph type={group.type} emojiClass={styles['emoji']} wordClass={styles['word']} />
        <span>{formats.number(group.count)}</span>
      </button>
    </Tooltip>
  )
}

const POP: Keyframe[] = [{ transform: 'scale(1)' }, { transform: 'scale(1.12)' }, { transform: 'scale(1)' }]
const POP_TIME = { duration: 200, easing: 'cubic-bezier(0.3, 1.5, 0.5, 1)' }

/** Up to ten names, how many others, and when. Source: design reference, section 6 "Reactions"; product paper, A9. */
function Who({ group }: { readonly group: ReactionGroup }) {
  const words = useWhoWords(group)
  return (
    <span className={styles['who']}>
      <span>{words.who}</span>
      <span className={styles['when']}>{words.when}</span>
    </span>
  )
}
