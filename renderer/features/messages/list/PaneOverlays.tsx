import { useRef, useState } from 'react'
import type { Message } from '#shared/domain/message.ts'
import { useTexts } from '../../../i18n/index.ts'
import { typedPart } from '../../../lib/page/part.tsx'
import { useAppStore, useMe } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Menu, type MenuItem } from '../../../ui/Menu/Menu.tsx'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { EmojiGlyph, EmojiPopover, reactionTypeOf, recentIn } from '../../emoji/index.ts'
import { useToggleReaction } from '../reactions/index.ts'
import { RemindMenu } from '../../reminders/index.ts'
import { ACTIONS, menuRows, type ActionId, useKeycaps } from '../actions/actions.ts'
import { useMessageCommands } from '../actions/commands.ts'

const DetailsDialog = typedPart(async () => (await import('../dialogs/DetailsDialog.tsx')).DetailsDialog)

/** Overlay of a list; one at a time. */
export type Overlay =
  | { readonly kind: 'menu'; readonly message: Message; readonly anchor: Element | DOMRect }
  | { readonly kind: 'picker'; readonly message: Message; readonly anchor: Element }
  | { readonly kind: 'remind'; readonly message: Message; readonly anchor: Element }
  | { readonly kind: 'details'; readonly message: Message }
  | { readonly kind: 'delete'; readonly messages: readonly Message[] }

type Props = {
  readonly overlay: Overlay
  readonly allowed: ReadonlySet<ActionId>
  readonly act: (message: Message, action: ActionId, anchor: Element) => void
  readonly onDeleted: () => void
  readonly onClose: () => void
}

/** Message menu, emoji picker, reminder menu, details, and delete confirmation. */
export function PaneOverlays({ overlay, allowed, act, onDeleted, onClose }: Props) {
  const toggle = useToggleReaction()
  const commands = useMessageCommands()
  switch (overlay.kind) {
    case 'delete':
      return (
        <DeleteDialog
          count={overlay.messages.length}
          onDelete={() => {
            onClose()
            onDeleted()
            void commands.delete(overlay.messages)
          }}
          onClose={onClose}
        />
      )
    case 'details':
      return <DetailsDialog messageId={overlay.message.id} onClose={onClose} />
    case 'picker':
      return (
        <EmojiPopover
          anchor={overlay.anchor}
          onPick={(emoji) => {
            onClose()
            void toggle(overlay.message.id, reactionTypeOf(emoji))
          }}
          onClose={onClose}
        />
      )
    case 'remind':
      return <RemindMenu messageId={overlay.message.id} anchor={overlay.anchor} onClose={onClose} />
    case 'menu':
      return <MessageMenu {...overlay} allowed={allowed} act={act} onClose={onClose} />
  }
}

type MenuProps = Pick<Props, 'allowed' | 'act' | 'onClose'> & {
  readonly message: Message
  readonly anchor: Element | DOMRect
}

function MessageMenu({ message, anchor, allowed, act, onClose }: MenuProps) {
  const t = useTexts('messages')
  const toggle = useToggleReaction()
  const store = useAppStore()
  const me = useMe()
  const keycapsOf = useKeycaps()
  const [page, setPage] = useState<'first' | 'more'>('first')
  const rowOf = (): Element => document.querySelector(`[data-message-id="${CSS.escape(message.id)}"]`) ?? document.body
  const itemOf = (action: ActionId): MenuItem => ({
    id: action,
    label: t(`actions.${action === 'delete' ? 'deleteMenu' : action === 'forward' ? 'forwardMenu' : action}`),
    icon: ACTIONS[action].icon,
    keys: keycapsOf(action),
    danger: action === 'delete',
    leads: action === 'remind' ? 'elsewhere' : undefined,
    onSelect: () => act(message, action, rowOf()),
  })
  const { first, more } = menuRows(allowed, message.userId === me?.id)
  if (page === 'more') {
    const items = more.flatMap((group, index): MenuItem[] => [
      ...(index === 0 ? [] : [{ kind: 'separator' as const, id: `gap-${index}` }]),
      ...group.map(itemOf),
    ])
    const back = (): void => setPage('first')
    return (
      <Menu
        key="more"
        label={t('actions.rest')}
        items={items}
        anchor={anchor}
        minWidth={252}
        onBack={back}
        onClose={onClose}
      />
    )
  }
  const react = (emoji: string) => ({
    id: emoji,
    label: t('actions.reactWith', { emoji }),
    content: <EmojiGlyph text={emoji} />,
    onSelect: () => void toggle(message.id, reactionTypeOf(emoji)),
  })
  const picker = {
    id: 'react',
    label: t('actions.react'),
    content: <Icon name={ACTIONS.react.icon} />,
    onSelect: () => act(message, 'react', rowOf()),
  }
  const reactions = recentIn(store).slice(0, 6).map(react)
  const items: readonly MenuItem[] = [
    ...(allowed.has('react')
      ? [{ kind: 'strip' as const, id: 'reactions', name: t('actions.react'), items: [...reactions, picker] }]
      : []),
    ...first.map(itemOf),
    ...(more.length === 0
      ? []
      : [
          { kind: 'separator' as const, id: 'gap' },
          {
            id: 'more',
            label: t('actions.rest'),
            icon: 'more' as const,
            leads: 'here' as const,
            onSelect: () => setPage('more'),
          },
        ]),
  ]
  return <Menu key="first" label={t('actions.menu')} items={items} anchor={anchor} minWidth={252} onClose={onClose} />
}

type DeleteDialogProps = { readonly count: number; readonly onDelete: () => void; readonly onClose: () => void }

/** Confirms deleting messages for everyone. Focus is on Cancel. */
function DeleteDialog({ count, onDelete, onClose }: DeleteDialogProps) {
  const t = useTexts('messages')
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      alert
      title={count === 1 ? t('delete.title') : t('delete.titleMany', { count })}
      width={400}
      initialFocus={cancel}
      onClose={onClose}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            {t('delete.cancel')}
          </Button>
          <Button variant="danger" onClick={onDelete}>
            {count === 1 ? t('delete.confirm') : t('delete.confirmMany')}
          </Button>
        </>
      }
    >
      <DialogText>{count === 1 ? t('delete.why') : t('delete.whyMany')}</DialogText>
    </Dialog>
  )
}
