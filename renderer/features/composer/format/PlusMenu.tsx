import { MAX_FILES_PER_MESSAGE } from '#shared/constants.ts'
import { maySendPoll, mayShareLocation } from '#shared/rules/channels/capabilities.ts'
import { commandsOf } from '#shared/rules/composer/commands.ts'
import { useTexts } from '../../../i18n/index.ts'
import { type SettledChannel, useAppDispatch } from '../../../store/hooks.ts'
import { useShortcut } from '../../../app/keys/shortcuts.tsx'
import { dialogOpened } from '../../../store/window/ui.ts'
import type { Placement } from '../../../ui/Popover/Popover.tsx'
import { Menu, type MenuItem } from '../../../ui/Menu/Menu.tsx'
import type { Place } from '../selectors.ts'
import type { ComposerModel } from '../use-composer.ts'

type Props = {
  readonly place: Place
  readonly channel: SettledChannel
  readonly model: ComposerModel
  /** Id of the open preview; undefined when closed. */
  readonly previewId: string | undefined
  readonly onPreview: () => void
  readonly onAttach: () => void
  readonly anchor: Element | DOMRect
  readonly onClose: () => void
}

const ABOVE: Placement = { side: 'above', align: 'start', gap: 6 }

/** Polls and locations are for channels only; while a message is edited there is nothing to add to it. */
export function PlusMenu({ place, channel, model, previewId, onPreview, onAttach, anchor, onClose }: Props) {
  const t = useTexts('composer')
  const locations = useTexts('locations')
  const dispatch = useAppDispatch()
  const attachKeys = useShortcut('attach')
  const previewKeys = useShortcut('preview')
  const items = (): readonly MenuItem[] => {
    const used = model.uploads.length
    const full = used >= MAX_FILES_PER_MESSAGE
    const inThread = place.parentId !== undefined
    const list: MenuItem[] = []
    if (model.composer.editing === undefined) {
      const disabledReason = model.acceptsFiles
        ? full
          ? t('plus.full', { used, max: MAX_FILES_PER_MESSAGE })
          : undefined
        : t('noFilesHere')
      list.push({
        id: 'attach',
        icon: 'paperclip',
        label: t('attach'),
        keys: attachKeys,
        ...(disabledReason === undefined ? {} : { disabledReason }),
        onSelect: onAttach,
      })
      if (!inThread && maySendPoll(channel)) {
        const onSelect = (): void => void dispatch(dialogOpened({ kind: 'poll', cid: place.cid }))
        list.push({ id: 'poll', icon: 'poll', label: t('poll'), onSelect })
      }
      if (mayShareLocation(channel)) {
        list.push({
          id: 'location',
          icon: 'map-pin',
          label: t('location'),
          ...(inThread ? { disabledReason: locations('notInThread') } : {}),
          onSelect: () => dispatch(dialogOpened({ kind: 'location', cid: place.cid })),
        })
      }
      list.push({ kind: 'separator', id: 'line' })
    }
    const isPreviewing = previewId !== undefined
    list.push({
      id: 'preview',
      icon: 'eye',
      label: t('preview'),
      keys: previewKeys,
      checked: isPreviewing,
      onSelect: onPreview,
    })
    if (commandsOf(channel).length > 0) {
      list.push({ id: 'commands', icon: 'slash', label: t('commands.open'), onSelect: model.suggestions.openCommands })
    }
    return list
  }
  return <Menu label={t('plus.label')} items={items()} anchor={anchor} placement={ABOVE} onClose={onClose} />
}
