import { useRef, useState } from 'react'
import { useHost, useSetting } from '../../../store/hooks.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Tooltip } from '../../../ui/Popover/Tooltip.tsx'
import { useMenuOf } from '../../../ui/Menu/Menu.tsx'
import { useTool, type ComposerModel } from '../use-composer.ts'
import { ScheduleDialog, SendMenu } from '../parts.ts'
import type { Place } from '../selectors.ts'
import { charactersLeft, type Decision } from './use-send.ts'
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
  const { menu, openAt, onContextMenu, triggerProps } = useMenuOf((anchor, onClose) => (
    <SendMenu model={model} onChooseTime={() => setChoosing(true)} anchor={anchor} onClose={onClose} />
  ))
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
