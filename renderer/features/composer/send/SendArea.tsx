import { useRef, useState } from 'react'
import { nextMonday, tomorrowMorning } from '#shared/rules/reminders/reminders.ts'
import { useHost, useSetting } from '../../../store/hooks.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Tooltip } from '../../../ui/Popover/Tooltip.tsx'
import { keysOf } from '../../../lib/text/chords.ts'
import { type MenuItem, useMenu } from '../../../ui/Menu/Menu.tsx'
import { MomentDialog } from '../../../ui/Dates/index.ts'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { useTool, type ComposerModel } from '../use-composer.ts'
import { useTitle, type Place } from '../selectors.ts'
import type { BroadcastWarning } from '../suggestions/mentions.ts'
import { type SendQuestion, charactersLeft, type Decision } from './use-send.ts'
import styles from '../Composer.module.css'

type Props = { readonly place: Place; readonly model: ComposerModel; readonly statusId: string }

/** The character counter near the limit, and the send button, whose icon and name show what pressing it does. */
export function SendArea({ place, model, statusId }: Props) {
  const t = useTexts('composer')
  if (model.composer.editing !== undefined) {
    return (
      <>
        <Counter model={model} />
        <Button size="small" variant="quiet" onClick={model.leaveContext}>
          {t('cancel')}
        </Button>
        <Button
          size="small"
          variant="primary"
          aria-disabled={model.decision.kind !== 'save'}
          aria-describedby={statusId}
          onClick={() => model.send()}
        >
          {t('save')}
        </Button>
      </>
    )
  }
  return (
    <>
      <Counter model={model} />
      {model.decision.kind === 'outbox' ? <span className={styles['count']}>{t('savedToOutbox')}</span> : null}
      <SendButton place={place} model={model} statusId={statusId} />
    </>
  )
}

function Counter({ model }: { readonly model: ComposerModel }) {
  const t = useTexts('composer')
  const { number } = useFormats()
  const left = charactersLeft(model.composer.text, model.maxLength)
  if (left === undefined) return null
  if (left < 0) return <span className={cx(styles['count'], styles['over'])}>−{number(-left)}</span>
  return <span className={styles['count']}>{t('left', { count: left })}</span>
}

function SendButton({ place, model, statusId }: Props) {
  const t = useTexts('composer')
  const button = useRef<HTMLButtonElement>(null)
  const [choosing, setChoosing] = useState(false)
  const { menu, openAt, onContextMenu, triggerProps } = useSendMenu(model, () => setChoosing(true))
  useTool(place, 'sendMenu', () => {
    if (button.current !== null) openAt(button.current)
  })
  const enterSends = useSetting('enterSends')
  const mod = useHost().os === 'macos' ? '⌘' : 'Ctrl'
  const { decision } = model
  const waits = decision.kind === 'uploading' || decision.kind === 'slow'
  const can = decision.kind === 'ready' || decision.kind === 'outbox'
  const name =
    decision.kind === 'uploading'
      ? t('uploadsOfName', { done: decision.done, all: decision.all })
      : decision.kind === 'outbox'
        ? `${t('send')}. ${t('savedToOutbox')}`
        : t('send')
  const empty = decision.kind === 'empty'
  return (
    <span className={styles['sendGroup']}>
      <Tooltip
        text={empty ? t('nothingToSend') : t('send')}
        keys={empty ? [] : enterSends ? ['Enter'] : [mod, 'Enter']}
        side="above"
      >
        <button
          ref={button}
          type="button"
          aria-keyshortcuts="Control+Shift+Enter"
          onContextMenu={onContextMenu}
          className={cx(styles['send'], waits && styles['wait'], !can && !waits && styles['off'])}
          aria-label={name}
          aria-disabled={!can}
          aria-describedby={statusId}
          data-send={decision.kind}
          // Leaves the focus, and a touch keyboard, in the field.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => model.send()}
        >
          <Face decision={decision} />
        </button>
      </Tooltip>
      <Tooltip text={t('sendMenu.label')} keys={[mod, 'Shift', 'Enter']} side="above">
        <button
          type="button"
          aria-label={t('sendMenu.label')}
          className={cx(styles['sendMore'], !can && styles['off'])}
          onPointerDown={(event) => event.preventDefault()}
          {...triggerProps}
        >
          <Icon name="chevron-down" size={14} />
        </button>
      </Tooltip>
      {menu}
      {choosing ? (
        <ScheduleDialog onChoose={(sendAt) => model.send({ sendAt })} onClose={() => setChoosing(false)} />
      ) : null}
    </span>
  )
}

function Face({ decision }: { readonly decision: Decision }) {
  const t = useTexts('composer')
  switch (decision.kind) {
    case 'uploading':
      return (
        <>
          <Icon name="clock" size={15} />
          {t('uploadsOf', { done: decision.done, all: decision.all })}
        </>
      )
    case 'slow':
      return (
        <>
          <Icon name="hourglass" size={15} />
          {`${Math.floor(decision.seconds / 60)}:${String(decision.seconds % 60).padStart(2, '0')}`}
        </>
      )
    case 'outbox':
      return <Icon name="outbox" size={18} />
    case 'ready':
    case 'stopped':
    case 'save':
    case 'empty':
    case 'editEmpty':
    case 'editGone':
    case 'tooLong':
    case 'command':
    case 'uploadFailed':
      return <Icon name="arrow-up" size={18} />
  }
}

type Morning = { readonly id: 'tomorrow' | 'monday'; readonly time: number }

/** On a Sunday tomorrow is Monday, so there is only one item. */
function mornings(now: number): readonly Morning[] {
  const [tomorrow, monday] = [tomorrowMorning(now), nextMonday(now)]
  const first: Morning = { id: 'tomorrow', time: tomorrow }
  return tomorrow === monday ? [first] : [first, { id: 'monday', time: monday }]
}

/** Menu to send silently or later: beside the send button, by right click on it, or by Ctrl Shift Enter. */
function useSendMenu(model: ComposerModel, onChooseTime: () => void): ReturnType<typeof useMenu> {
  const t = useTexts('composer')
  const { weekdayAndTime } = useFormats()
  const { os } = useHost()
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
  const items = (): readonly MenuItem[] => [
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
    ...mornings(Date.now()).map(({ id, time }) => at(id, t(`later.${id}`), time)),
    { id: 'custom', icon: 'calendar', label: t('later.choose'), ...disabledLater, onSelect: onChooseTime },
    {
      kind: 'heading',
      id: 'later.note',
      content: t('later.note'),
    },
  ]
  return useMenu({
    label: `${t('sendMenu.label')} (${keysOf('Mod+Shift+Enter', os).join(' ')})`,
    items,
    placement: { side: 'above', align: 'end', gap: 6 },
  })
}

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
