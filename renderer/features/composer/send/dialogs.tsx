import { useRef, useState } from 'react'
import { nextMonday, tomorrowMorning } from '#shared/rules/reminders/reminders.ts'
import { useTexts, useFormats } from '../../../i18n/index.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { MomentDialog } from '../../../ui/Dates/index.ts'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { keysOf } from '../../../lib/text/chords.ts'
import { useHost } from '../../../store/hooks.ts'
import type { Placement } from '../../../ui/Popover/Popover.tsx'
import { Menu, type MenuItem } from '../../../ui/Menu/Menu.tsx'
import { useTitle } from '../selectors.ts'
import type { BroadcastWarning } from '../suggestions/mentions.ts'
import type { ComposerModel } from '../use-composer.ts'
import type { SendQuestion } from './use-send.ts'

type ScheduleDialogProps = {
  /** The current time of sending, epoch milliseconds. */
  readonly start?: number
  readonly onChoose: (at: number) => void
  readonly onClose: () => void
}

/** Chooses a day and a time to send at, with a note that Parlor must be open then. */
export function ScheduleDialog(props: ScheduleDialogProps) {
  const t = useTexts('composer')
  return (
    <MomentDialog
      {...props}
      title={t('later.title')}
      confirm={t('later.confirm')}
      result={(time) => t('later.at', { time })}
      note={t('later.note')}
    />
  )
}

type AskDialogProps = SendQuestion & { readonly cid: string }

/** What is asked before a message is sent. */
function useQuestion(about: SendQuestion['about'], cid: string) {
  const t = useTexts('composer')
  const name = useTitle(cid)
  if (about === 'again') {
    return { title: t('again.title'), text: t('again.text'), back: t('again.back'), send: t('again.send') }
  }
  if ('unknown' in about) {
    const title = t('unknown.title', { name: about.unknown })
    return { title, text: t('unknown.text'), back: t('unknown.back'), send: t('unknown.send') }
  }
  const title = t(`calls.title.${about.broadcast}`, { name })
  return { title, warning: about, back: t('calls.back'), send: t('calls.send') }
}

/** Confirms that a message should notify many people, be sent a second time, or be sent although it looks like a command. */
export function AskDialog({ cid, about, onSend, onClose }: AskDialogProps) {
  const back = useRef<HTMLButtonElement>(null)
  const asked = useQuestion(about, cid)
  return (
    <Dialog
      alert
      initialFocus={back}
      title={asked.title}
      width={400}
      onClose={onClose}
      actions={
        <>
          <Button ref={back} onClick={onClose}>
            {asked.back}
          </Button>
          <Button
            variant="primary"
            onClick={() => {
              onClose()
              onSend()
            }}
          >
            {asked.send}
          </Button>
        </>
      }
    >
      {asked.warning === undefined ? <DialogText>{asked.text}</DialogText> : <BroadcastText warning={asked.warning} />}
    </Dialog>
  )
}

/** How many people would be notified, and for how many of them it is night. */
function BroadcastText({ warning: { broadcast, count, asleep } }: { readonly warning: BroadcastWarning }) {
  const t = useTexts('composer')
  return (
    <>
      <DialogText>{t(`calls.text.${broadcast}`, { count })}</DialogText>
      {asleep === 0 ? null : <DialogText>{t('calls.asleep', { count: asleep })}</DialogText>}
    </>
  )
}

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
