import { useId, useMemo, useState } from 'react'
import { isGood, type Integration, type ProgramCall } from '#shared/domain/manage/integrations.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { Skeleton } from '../../../ui/View/Skeleton.tsx'
import { BROWSING_PAUSE_MS, useLoaded } from '../loading.ts'
import { useTopic } from '../state.ts'
import { loadCalls } from './commands.ts'
import { Outcome } from './words.tsx'
import styles from './Integrations.module.css'

const WHICH = ['all', 'failed'] as const

/** The last calls, newest first. */
export function Calls({ integration: { id, kind } }: { readonly integration: Integration }) {
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
