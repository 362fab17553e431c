import { useState } from 'react'
import { nextMonday, tomorrowMorning } from '#shared/rules/reminders/reminders.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { keysOf } from '../../../lib/text/chords.ts'
import { useHost } from '../../../store/hooks.ts'
import type { Placement } from '../../../ui/Popover/Popover.tsx'
import { Menu, type MenuItem } from '../../../ui/Menu/Menu.tsx'
import type { ComposerModel } from '../use-composer.ts'

const ABOVE: Placement = { side: 'above', align: 'end', gap: 6 }

type Morning = { readonly id: 'tomorrow' | 'monday'; readonly time: number }

/** On a Sunday tomorrow is Monday, so there is only one item. */
function mornings(now: number): readonly Morning[] {
  const [tomorrow, monday] = [tomorrowMorning(now), nextMonday(now)]
  const first: Morning = { id: 'tomorrow', time: tomorrow }
  return tomorrow === monday ? [first] : [first, { id: 'monday', time: monday }]
}

type Props = {
  readonly model: ComposerModel
  readonly onChooseTime: () => void
  readonly anchor: Element | DOMRect
  readonly onClose: () => void
}

/** Menu to send silently or later: beside the send button, by right click on it, or by Ctrl Shift Enter. */
export function SendMenu({ model, onChooseTime, anchor, onClose }: Props) {
  const t = useTexts('composer')
  const { weekdayAndTime } = useFormats()
  const { os } = useHost()
  const [now] = useState(() => Date.now())
  const { kind } = model.decision
  const slow = kind === 'slow'
  const canSend = kind === 'ready' || kind === 'outbox'
  const disabled = canSend || slow ? {} : { disabledReason: t('sendMenu.notNow') }
  const disabledLater = model.decision.kind === 'uploading' ? {} : disabled
  const at = (id: string, label: string, time: number): MenuItem => ({
    id,
    icon: 'alarm',
    label,
    hint: weekdayAndTime(time),
    ...disabledLater,
    onSelect: () => model.send({ sendAt: time }),
  })
  const items: readonly MenuItem[] = [
    slow
      ? {
          id: 'allowed',
          icon: 'hourglass',
          label: t('sendWhenAllowed'),
          onSelect: () => model.send({ whenReady: true }),
        }
      : { id: 'now', icon: 'arrow-up', label: t('send'), ...disabled, onSelect: () => model.send() },
    {
      id: 'silent',
      icon: 'bell-off',
      label: t('sendMenu.silent'),
      hint: t('sendMenu.silentHint'),
      ...disabled,
      onSelect: () => model.send({ whenReady: slow, silent: true }),
    },
    { kind: 'separator', id: 'later-line' },
    ...mornings(now).map(({ id, time }) => at(id, t(`later.${id}`), time)),
    { id: 'custom', icon: 'calendar', label: t('later.choose'), ...disabledLater, onSelect: onChooseTime },
    {
      kind: 'heading',
      id: 'later.note',
      content: t('later.note'),
    },
  ]
  return (
    <Menu
      label={`${t('sendMenu.label')} (${keysOf('Mod+Shift+Enter', os).join(' ')})`}
      items={items}
      anchor={anchor}
      placement={ABOVE}
      onClose={onClose}
    />
  )
}
