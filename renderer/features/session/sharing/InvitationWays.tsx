import { useMemo, useState, type RefObject } from 'react'
import { encodeQR } from 'qr'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import styles from './Sharing.module.css'

type WaysProps = {
  readonly name: string
  readonly link: string
  /** Absent on a network that has only IPv6. */
  readonly code: string | undefined
  readonly copy: RefObject<HTMLButtonElement | null>
}

/** How an invitation is passed on: as a picture, a link, or a code to read out. */
export function InvitationWays({ name, link, code, copy }: WaysProps) {
  const t = useTexts('session')
  return (
    <div className={styles['ways']}>
      <figure className={styles['qr']}>
        <div data-theme="light">
          <QrPicture text={link} label={t('share.qr', { name })} />
        </div>
        <figcaption className={styles['caption']}>{t('share.scan')}</figcaption>
      </figure>
      <div className={styles['texts']}>
        <CopyField label={t('share.link', { name })} value={link} button={copy} />
        {code === undefined ? (
          <p className={styles['more']}>{t('share.noCode')}</p>
        ) : (
          <CopyField label={t('share.code')} value={code} />
        )}
      </div>
    </div>
  )
}

/** Quiet squares around the code, without which scanners do not find it. */
const QUIET = 2

/** Dark on light in every theme: scanners expect it. */
function QrPicture({ text, label }: { readonly text: string; readonly label: string }) {
  const { side, path } = useMemo(() => {
    const rows = encodeQR(text, 'raw', { border: QUIET })
    const squares = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    return { side: rows.length, path: squares.join('') }
  }, [text])
  return (
    <svg viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} fill="currentColor" />
    </svg>
  )
}

const COPIED_MS = 2_000

type CopyProps = {
  readonly label: string
  readonly value: string
  readonly button?: RefObject<HTMLButtonElement | null>
}

function CopyField({ label, value, button }: CopyProps) {
  const t = useTexts('session')
  const [copied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
      announce(t('share.copied'))
      setTimeout(() => setCopied(false), COPIED_MS)
    } catch {
      // The browser does not allow it: the text can be selected.
      announce(t('share.notCopied'))
    }
  }
  return (
    <div className={styles['copy']}>
      <TextField label={label} mono readOnly value={value} onChange={() => undefined} />
      <Button
        icon={copied ? 'check' : 'copy'}
        ref={button}
        aria-label={`${t('share.copy')}: ${label}`}
        onClick={() => void copy()}
      >
        {t(copied ? 'share.copied' : 'share.copy')}
      </Button>
    </div>
  )
}
