import { useEffect, useRef, useState } from 'react'
import { useHost, useSetting } from '../../../store/hooks.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Tooltip } from '../../../ui/Popover/Tooltip.tsx'
import { lettersLeft, type Decision } from './decision.ts'
import { ScheduleDialog } from './ScheduleDialog.tsx'
import { useSendMenu } from './use-send-menu.ts'
import type { ComposerModel } from '../use-composer.ts'
import styles from '../Composer.module.css'

type Props = { readonly it: ComposerModel; readonly statusId: string }

/** The counter near the limit, and the button that tells the truth about what pressing it does. */
export function SendArea({ it, statusId }: Props) {
  const t = useTexts('composer')
  if (it.composer.editing !== undefined) {
    return (
      <>
        <Counter it={it} />
        <Button size="small" variant="quiet" onClick={it.leaveContext}>
          {t('cancel')}
        </Button>
        <Button
          size="small"
          variant="primary"
          aria-disabled={it.decision.kind !== 'save'}
          aria-describedby={statusId}
          onClick={() => it.send()}
        >
          {t('save')}
        </Button>
      </>
    )
  }
  return (
    <>
      <Counter it={it} />
      {it.decision.kind === 'outbox' ? <span className={styles['count']}>{t('goesToOutbox')}</span> : null}
      <SendButton it={it} statusId={statusId} />
    </>
  )
}

function Counter({ it }: { readonly it: ComposerModel }) {
  const t = useTexts('composer')
  const { number } = useFormats()
  const left = lettersLeft(it.composer.text, it.maxLength)
  if (left === undefined) return null
  if (left < 0) return <span className={cx(styles['count'], styles['over'])}>−{number(-left)}</span>
  return <span className={styles['count']}>{t('left', { count: left })}</span>
}

/** The field asks for the menu of the button beside it. */
export const SEND_MENU = 'parlor:send-menu'

function SendButton({ it, statusId }: Props) {
  const t = useTexts('composer')
  const button = useRef<HTMLButtonElement>(null)
  const [choosing, setChoosing] = useState(false)
  const { menu, openAt, onContextMenu } = useSendMenu(it, () => setChoosing(true))
  useEffect(() => {
    const element = button.current
    const open = (): void => void (element !== null && openAt(element))
    element?.addEventListener(SEND_MENU, open)
    return () => element?.removeEventListener(SEND_MENU, open)
  }, [openAt])
  const enterSends = useSetting('enterSends')
  const mod = useHost().os === 'macos' ? '⌘' : 'Ctrl'
  const { decision } = it
  const waits = decision.kind === 'uploading' || decision.kind === 'slow'
  const can = decision.kind === 'ready' || decision.kind === 'outbox'
  const name =
    decision.kind === 'uploading'
      ? t('uploadsOfName', { done: decision.done, all: decision.all })
      : decision.kind === 'outbox'
        ? `${t('send')}. ${t('goesToOutbox')}`
        : t('send')
  const empty = decision.kind === 'empty'
  return (
    <>
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
          // Keeps the focus, and the keyboard of a touch screen, in the field.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => it.send()}
        >
          <Face decision={decision} />
        </button>
      </Tooltip>
      {menu}
      {choosing ? (
        <ScheduleDialog onChoose={(sendAt) => it.send({ sendAt })} onClose={() => setChoosing(false)} />
      ) : null}
    </>
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
