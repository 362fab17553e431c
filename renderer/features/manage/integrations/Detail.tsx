import { useImperativeHandle, useRef, useState, type ReactNode, type Ref, useId, useMemo } from 'react'
import {
  FAILING_AFTER,
  isGood,
  type Integration,
  type TestResult,
  type ProgramCall,
} from '#shared/domain/manage/integrations.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useConnection, useMe } from '../../../store/hooks.ts'
import { placeOpened } from '../../../store/window/ui.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { useMenu } from '../../../ui/Menu/Menu.tsx'
import { useMinute } from '../../../lib/time/clocks.ts'
import { Segments } from '../../../ui/Choice/Choice.tsx'
import { Skeleton } from '../../../ui/View/Empty.tsx'
import { useName } from '../../people/index.ts'
import { Fields, Square, titleOf, useChannelName, Outcome } from './Fields.tsx'
import { pauseIntegrations, retryNow, testIntegration, loadCalls } from './commands.ts'
import styles from './Integrations.module.css'
import { BROWSING_PAUSE_MS, useLoaded } from '../loading.ts'
import { useTopic } from '../state.ts'

export type DetailHandle = { readonly focus: () => void }

type Props = {
  readonly ref: Ref<DetailHandle>
  readonly integration: Integration
  readonly onChange: () => void
  readonly onRevoke: () => void
}

type Tested = { readonly result?: TestResult; readonly error?: ErrorBody }

/** One program: what it may do, whether it works, what it did lately, and how to take it back. */
export function Detail({ ref, integration, onChange, onRevoke }: Props) {
  const t = useTexts('integrations')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const me = useMe()?.name ?? ''
  const title = useRef<HTMLHeadingElement>(null)
  const [tested, setTested] = useState<Tested>()
  const [testing, setTesting] = useState(false)
  useImperativeHandle(ref, () => ({ focus: () => title.current?.focus() }))
  const { id, kind, revokedAt, paused } = integration
  const isGone = revokedAt !== undefined
  const test = async (): Promise<void> => {
    if (offline || testing) return
    setTested(undefined)
    setTesting(true)
    const done = await dispatch(testIntegration({ id, text: t('test.text', { name: me }) }))
    setTesting(false)
    setTested(done.ok ? { result: done.value } : { error: done.error })
  }
  return (
    <section className={styles['detail']} aria-label={titleOf(integration)}>
      <header className={styles['head']}>
        <Square of={integration} large />
        <div className={styles['names']}>
          <h2 ref={title} tabIndex={-1} className={styles['title']}>
            <bdi>{titleOf(integration)}</bdi>
          </h2>
          <Made integration={integration} />
        </div>
        {isGone ? null : (
          <div className={styles['buttons']}>
            <Button
              icon="play"
              working={testing}
              aria-disabled={offline || paused || undefined}
              onClick={() => (paused ? undefined : void test())}
            >
              {t('test.do')}
            </Button>
            <More integration={integration} onChange={onChange} onRevoke={onRevoke} />
          </div>
        )}
      </header>
      {isGone ? <Notice tone="info" title={t('gone.title')} text={t('gone.text')} /> : null}
      {isGone ? null : <Problems integration={integration} onChange={onChange} />}
      {offline ? <Notice tone="info" title={t('offline')} text={t('offlineText')} /> : null}
      <Fields integration={integration} />
      <div role="status">{tested === undefined ? null : <Tested kind={kind} tested={tested} />}</div>
      <Calls integration={integration} />
      {isGone ? null : (
        <footer className={styles['end']}>
          <p>{t(`revoke.hint.${kind}`)}</p>
          <Button variant="risky" onClick={onRevoke}>
            {t('revoke.open')}
          </Button>
        </footer>
      )}
    </section>
  )
}

function Made({ integration: { kind, createdBy, createdAt } }: Pick<Props, 'integration'>) {
  const t = useTexts('integrations')
  const formats = useFormats()
  const person = useName(createdBy)
  return (
    <p className={styles['made']}>
      {t('made', { kind: t(`kinds.${kind}`), person, date: formats.shortDate(createdAt) })}
    </p>
  )
}

function More({ integration, onChange, onRevoke }: Omit<Props, 'ref'>) {
  const t = useTexts('integrations')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const { id, paused } = integration
  const disabledReason = offline ? t('offline') : undefined
  const pause = async (): Promise<void> => {
    const done = await dispatch(pauseIntegrations({ ids: [id], paused: !paused }))
    if (done.ok) announce(t(paused ? 'resume.done' : 'pause.done'))
  }
  const menu = useMenu({
    label: t('more'),
    items: () => [
      { id: 'change', icon: 'pencil', label: t('change.open'), disabledReason, onSelect: onChange },
      {
        id: 'pause',
        icon: paused ? 'play' : 'pause',
        label: t(paused ? 'resume.do' : 'pause.do'),
        disabledReason,
        onSelect: () => void pause(),
      },
      { kind: 'separator', id: 'line' },
      { id: 'revoke', icon: 'trash', label: t('revoke.open'), danger: true, onSelect: onRevoke },
    ],
  })
  return (
    <>
      <IconButton icon="more" label={t('more')} {...menu.triggerProps} />
      {menu.menu}
    </>
  )
}

/** What needs its owner: it fails, or events wait for a program that does not answer. */
function Problems({ integration, onChange }: Pick<Props, 'integration' | 'onChange'>) {
  const t = useTexts('integrations')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const { id, kind, fails, waiting, lastOutcome, paused } = integration
  const name = titleOf(integration)
  if (paused) return <Notice tone="info" title={t('paused.title')} text={t(`paused.text.${kind}`)} />
  if (waiting !== undefined) {
    const { tries, of, nextAt, count } = waiting
    const next = t('waiting.next', { tries, of, time: formats.dayAndTime(nextAt) })
    return (
      <Notice tone="warning" title={t('waiting.title', { name })} text={`${next} ${t('waiting.count', { count })}`}>
        <Button
          size="small"
          aria-disabled={offline || undefined}
          onClick={() => (offline ? undefined : void dispatch(retryNow({ id })))}
        >
          {t('waiting.now')}
        </Button>
      </Notice>
    )
  }
  if (fails < FAILING_AFTER) return null
  const why = lastOutcome === undefined || isGood(lastOutcome) ? '' : t(`reasons.${lastOutcome}`)
  return (
    <Notice tone="danger" title={t('failing.title', { name, count: fails })} text={why}>
      <Button size="small" onClick={onChange}>
        {t('change.open')}
      </Button>
    </Notice>
  )
}

type TestedProps = { readonly kind: Integration['kind']; readonly tested: Tested }

function Tested({ kind, tested: { result, error } }: TestedProps) {
  const t = useTexts('integrations')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const channel = useChannelName(result?.cid)
  if (error !== undefined) return <Notice tone="danger" title={t('test.failed')} text={errorText(error)} />
  if (result === undefined) return null
  const { outcome, cid, messageId, count = 0 } = result
  if (!isGood(outcome)) return <Notice tone="danger" title={t('test.failed')} text={t(`reasons.${outcome}`)} />
  if (kind === 'key') return <Notice tone="success" title={t('test.read', { count })} text={t('test.readText')} />
  const title = kind === 'incoming' ? t('test.posted', { channel: channel ?? t('about.unknown') }) : t('test.answered')
  return (
    <Notice tone="success" title={title} text={<Answered result={result} />}>
      {cid === undefined || messageId === undefined ? null : (
        <Button size="small" onClick={() => dispatch(placeOpened({ cid, messageId }))}>
          {t('test.open')}
        </Button>
      )}
    </Notice>
  )
}

/** How fast, with which code, and the beginning of what was said. */
export function Answered({ result: { status = 0, took, answer } }: { readonly result: TestResult }) {
  const t = useTexts('integrations')
  return answer === undefined ? t('test.took', { status, took }) : t('test.said', { status, took, answer })
}

type NoticeProps = {
  readonly tone: 'info' | 'warning' | 'danger' | 'success'
  readonly title: string
  readonly text: ReactNode
  /** A button. */
  readonly children?: ReactNode
}

const NOTICE_ICONS = { info: 'info', warning: 'clock', danger: 'alert-circle', success: 'circle-check' } as const

/** A sentence with a mark at its start, and what to do about it. */
export const Notice = ({ tone, title, text, children }: NoticeProps) => (
  <div className={styles['notice']} data-tone={tone}>
    <Icon name={NOTICE_ICONS[tone]} size={18} />
    <div className={styles['noticeText']}>
      <b>{title}</b>
      <p>{text}</p>
    </div>
    {children}
  </div>
)

const WHICH = ['all', 'failed'] as const

/** The last calls, newest first. */
function Calls({ integration: { id, kind } }: { readonly integration: Integration }) {
  const t = useTexts('integrations')
  const common = useTexts('common')
  const errorText = useErrorText()
  const titleId = useId()
  const [which, setWhich] = useState<(typeof WHICH)[number]>('all')
  const { value, error, loading, again, asking } = useLoaded(
    useMemo(() => loadCalls({ id }), [id]),
    useTopic('integrations'),
    BROWSING_PAUSE_MS,
  )
  const calls = value ?? []
  const failed = calls.filter(({ outcome }) => !isGood(outcome))
  const rows = which === 'all' ? calls : failed
  return (
    <section className={styles['calls']} aria-labelledby={titleId}>
      <div className={styles['callsHead']}>
        <h3 id={titleId}>{t('calls.title')}</h3>
        <span className={styles['hint']}>{t('calls.kept')}</span>
        {calls.length === 0 ? null : (
          <Segments
            label={t('calls.which')}
            value={which}
            choices={WHICH.map((each) => ({
              value: each,
              label: t(`calls.${each}`),
              ...(each === 'failed'
                ? { count: { value: failed.length, name: t('calls.failedCount', { count: failed.length }) } }
                : {}),
            }))}
            onChange={setWhich}
          />
        )}
      </div>
      {loading ? (
        <div className={styles['loading']} role="status" aria-label={common('loading')}>
          {[64, 48, 56].map((width) => (
            <Skeleton key={width} width={`${width}%`} height={14} />
          ))}
        </div>
      ) : error !== undefined && value === undefined ? (
        <p className={styles['failed']} role="alert">
          {errorText(error)}{' '}
          <Button variant="link" working={asking} onClick={again}>
            {t('calls.again')}
          </Button>
        </p>
      ) : rows.length === 0 ? (
        <p className={styles['hint']}>{t(which === 'all' ? `calls.none.${kind}` : 'calls.noneFailed')}</p>
      ) : (
        <table className={styles['table']} aria-labelledby={titleId}>
          <thead>
            <tr>
              <th scope="col">{t('calls.time')}</th>
              <th scope="col">{t('calls.result')}</th>
              <th scope="col">{t('calls.what')}</th>
              <th scope="col">{t('calls.from')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((call) => (
              <Call key={call.id} call={call} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Call({ call: { at, outcome, status, what, source, request } }: { readonly call: ProgramCall }) {
  const t = useTexts('integrations')
  const formats = useFormats()
  const now = useMinute()
  const [open, setOpen] = useState(false)
  const said = isGood(outcome) || what !== '' ? what : t(`reasons.${outcome}`)
  return (
    <tr>
      <td>
        <time dateTime={new Date(at).toISOString()} title={formats.full(at)}>
          {formats.timeOrDay(at, now)}
        </time>
      </td>
      <td>
        <Outcome outcome={outcome} status={status} />
      </td>
      <td>
        <bdi>{said}</bdi>
        {request === undefined ? null : (
          <>
            {' '}
            <Button variant="link" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
              {t(open ? 'calls.hide' : 'calls.show')}
            </Button>
            {open ? (
              <pre className={styles['code']} dir="auto">
                {request}
              </pre>
            ) : null}
          </>
        )}
      </td>
      <td>{source === 'parlor' ? t('calls.here') : <bdi>{source}</bdi>}</td>
    </tr>
  )
}
