import { useEffect, useRef, type ReactNode } from 'react'
import type { LeftCounts, LeftKind } from '#shared/domain/imports.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { cx } from '../../../lib/cx.ts'
import { Icon, type IconName } from '../../../ui/Icon/Icon.tsx'
import styles from './Imports.module.css'

const STEPS = ['file', 'check', 'import'] as const
export type StepName = (typeof STEPS)[number]

/** Where in the three steps this is. */
export function Stepper({ step }: { readonly step: StepName }) {
  const t = useTexts('imports')
  const at = STEPS.indexOf(step)
  return (
    <ol className={styles['stepper']} aria-label={t('steps.label')}>
      {STEPS.map((name, index) => (
        <li key={name} aria-current={index === at ? 'step' : undefined} data-done={index < at ? '' : undefined}>
          <span className={styles['stepNumber']} aria-hidden="true">
            {index < at ? <Icon name="check" size={13} /> : index + 1}
          </span>
          <span className={styles['stepName']}>
            {index < at ? (
              <>
                <span aria-hidden="true">{t(`steps.${name}`)}</span>
                <span className="sr-only">{t('steps.done', { step: t(`steps.${name}`) })}</span>
              </>
            ) : (
              t(`steps.${name}`)
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}

type NoticeProps = {
  readonly icon: IconName
  readonly tone: 'error' | 'warning' | 'info'
  readonly title: string
  readonly text: string
  /** One button. */
  readonly action?: ReactNode
}

/** What was refused or interrupted, in the page: read out when it appears. */
export function Notice({ icon, tone, title, text, action }: NoticeProps) {
  return (
    <div role="alert" className={cx(styles['notice'], styles[tone])}>
      <Icon name={icon} size={18} />
      <div className={styles['noticeMain']}>
        <div className={styles['noticeTitle']}>{title}</div>
        <p>{text}</p>
      </div>
      {action}
    </div>
  )
}

type BarProps = { /** 0 to 1. */ readonly value: number; readonly label: string }

/** How much is done, announced at each tenth. */
export function Bar({ value, label }: BarProps) {
  const t = useTexts('imports')
  const formats = useFormats()
  const tenth = Math.floor(value * 10)
  const told = useRef(tenth)
  useEffect(() => {
    if (tenth <= told.current) return
    told.current = tenth
    announce(t('running.announced', { share: formats.percent(tenth / 10) }))
  }, [formats, t, tenth])
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(value * 100)}
      className={styles['bar']}
    >
      <span style={{ inlineSize: `${value * 100}%` }} />
    </div>
  )
}

type LeftListProps = {
  readonly left: LeftCounts
  /** Channels that the user left out. */
  readonly skipped?: readonly { readonly name: string; readonly messages: number }[]
}

/** What is left out or changed, with how often. */
export function LeftList({ left, skipped = [] }: LeftListProps) {
  const t = useTexts('imports')
  const formats = useFormats()
  const kinds = (Object.entries(left) as [LeftKind, number][]).filter(([, count]) => count > 0)
  if (kinds.length + skipped.length === 0) return <p className={styles['faint']}>{t('check.nothingOut')}</p>
  return (
    <ul className={styles['lines']}>
      {kinds.map(([kind, count]) => (
        <li key={kind}>
          <Icon name="alert-triangle" size={16} />
          <span>{t(`left.${kind}`)}</span>
          <span className={styles['number']}>{formats.number(count)}</span>
        </li>
      ))}
      {skipped.map(({ name, messages }) => (
        <li key={`channel ${name}`}>
          <Icon name="alert-triangle" size={16} />
          <span>{t('report.skipped', { name })}</span>
          <span className={styles['number']}>{formats.number(messages)}</span>
        </li>
      ))}
    </ul>
  )
}

/** A heading that takes the focus when its step appears. */
export function StepHeading({ children }: { readonly children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <h2 ref={heading} tabIndex={-1} className={styles['heading']}>
      {children}
    </h2>
  )
}
