import type { KeyboardEvent } from 'react'
import type { Message } from '#shared/domain/message.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppStore, useChannel, useCanParticipate } from '../../../store/hooks.ts'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { Tooltip } from '../../../ui/Popover/Tooltip.tsx'
import { EmojiGlyph, reactionTypeOf, recentIn } from '../../emoji/index.ts'
import { toggleReaction } from '../reactions/index.ts'
import { ACTIONS, actionsFor, type ActionId } from '../actions/actions.ts'
import { useKeycaps } from '../list/PaneOverlays.tsx'
import { useScope } from '../list/scope.ts'
import styles from './MessageTools.module.css'

const SHOWN: readonly ActionId[] = ['quote', 'thread', 'remind']

/** The most used actions, over the row's top edge on hover and focus. One tab stop with arrow navigation. */
export function MessageTools({ message }: { readonly message: Message }) {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const scope = useScope()
  const keycapsOf = useKeycaps()
  const channel = useChannel(message.cid)
  const readsOnly = !useCanParticipate()
  const inThread = scope.parentId !== undefined
  const allowed = actionsFor(message, { channel, viewerId: scope.viewerId, inThread, readsOnly })
  if (allowed.size === 0) return null
  return (
    <div
      className={styles['tools']}
      role="toolbar"
      tabIndex={-1}
      aria-label={t('actions.toolbar')}
      onKeyDown={onToolbarKey}
    >
      {allowed.has('react')
        ? recentIn(store)
            .slice(0, 3)
            .map((emoji, index) => (
              <Tooltip key={emoji} text={t('actions.reactWith', { emoji })} keys={[String(index + 1)]} side="above">
                <button
                  type="button"
                  className={styles['quick']}
                  tabIndex={-1}
                  aria-label={t('actions.reactWith', { emoji })}
                  onClick={() => void dispatch(toggleReaction({ messageId: message.id, type: reactionTypeOf(emoji) }))}
                >
                  <EmojiGlyph text={emoji} />
                </button>
              </Tooltip>
            ))
        : null}
      {allowed.has('react') ? (
        <IconButton
          icon="smile-plus"
          label={t('actions.react')}
          keys={keycapsOf('react')}
          tooltipSide="above"
          tabIndex={-1}
          aria-haspopup="dialog"
          onClick={(event) => scope.act(message, 'react', event.currentTarget)}
        />
      ) : null}
      {allowed.has('react') ? <span className={styles['toolGap']} /> : null}
      {SHOWN.filter((action) => allowed.has(action)).map((action) => (
        <IconButton
          key={action}
          icon={ACTIONS[action].icon}
          label={t(`actions.${action}`)}
          keys={keycapsOf(action)}
          tooltipSide="above"
          tabIndex={-1}
          onClick={(event) => scope.act(message, action, event.currentTarget)}
        />
      ))}
      <IconButton
        icon="more"
        label={t('actions.more')}
        tooltipSide="above"
        aria-haspopup="menu"
        onClick={(event) => scope.openMenu(message, event.currentTarget)}
      />
    </div>
  )
}

function onToolbarKey(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (step === 0) return
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.findIndex((button) => button === document.activeElement)
  const rightToLeft = document.documentElement.dir === 'rtl' ? -1 : 1
  event.preventDefault()
  event.stopPropagation()
  buttons[(at + step * rightToLeft + buttons.length) % buttons.length]?.focus()
}
