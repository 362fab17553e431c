import { useMemo } from 'react'
import type { DryRunPerson, DryRunView, ListedCampaign } from '#shared/domain/manage/campaigns.ts'
import { isNightIn } from '#shared/rules/people/local-time.ts'
import { useFormats, useTexts } from '../../../../i18n/index.ts'
import { Icon } from '../../../../ui/Icon/Icon.tsx'
import type { TableColumn } from '../../../../ui/Table/Table.tsx'
import { Portrait } from '../../../people/index.ts'
import styles from '../Campaigns.module.css'

type Column = TableColumn<DryRunPerson>
type Moment = {
  /** When they would get it. */
  readonly at: number
  /** Whether it is known of anyone if they have a channel. */
  readonly isReachKnown: boolean
}

/** Of those who get it, in the order of sending, or of those who are left out. */
export function usePeopleColumns(view: DryRunView, campaign: ListedCampaign, moment: Moment): readonly Column[] {
  const who = useWho(campaign)
  const gets = useGets(who, moment)
  const t = useTexts('campaigns')
  return useMemo(() => {
    if (view === 'gets') return gets
    const why: Column = {
      id: 'why',
      title: t('dry.columns.why'),
      width: 'minmax(140px, 3.4fr)',
      render: ({ why: reason }) => (reason === undefined ? '' : t(`excluded.${reason}`)),
    }
    return [...who, why]
  }, [t, view, who, gets])
}

/** Who it is, and by which segments they were found. */
function useWho({ segments }: ListedCampaign): readonly Column[] {
  const t = useTexts('campaigns')
  const formats = useFormats()
  return useMemo(
    () => [
      {
        id: 'person',
        title: t('dry.columns.person'),
        width: 'minmax(120px, 2fr)',
        render: ({ id, name }) => (
          <span className={styles['person']}>
            <Portrait userId={id} name={name} size={24} />
            <bdi className="ellipsis">{name}</bdi>
          </span>
        ),
      },
      {
        id: 'from',
        title: t('dry.columns.from'),
        width: 'minmax(84px, 1fr)',
        priority: 1,
        render: ({ from }) => (
          <bdi>
            {formats.list(
              from.map((id) =>
                id === null ? t('dry.byName') : (segments.find((segment) => segment.id === id)?.name ?? id),
              ),
            )}
          </bdi>
        ),
      },
    ],
    [t, formats, segments],
  )
}

function useGets(who: readonly Column[], { at, isReachKnown }: Moment): readonly Column[] {
  const t = useTexts('campaigns')
  const formats = useFormats()
  return useMemo(() => {
    const channel: Column = {
      id: 'reach',
      title: t('dry.columns.channel'),
      width: '84px',
      priority: 2,
      render: ({ reach }) => t(`reach.${reach}`),
    }
    return [
      {
        id: 'place',
        title: t('dry.columns.place'),
        width: '64px',
        priority: 1,
        render: ({ place }) => (place === undefined ? '' : formats.number(place)),
      },
      ...who,
      ...(isReachKnown ? [channel] : []),
      {
        id: 'time',
        title: t('dry.columns.time'),
        width: 'minmax(190px, 1.5fr)',
        priority: 1,
        render: ({ timeZone }) => <TheirTime at={at} timeZone={timeZone} />,
      },
      {
        id: 'text',
        title: t('dry.columns.begins'),
        width: 'minmax(80px, 1.5fr)',
        priority: 1,
        render: ({ text }) => <bdi className={styles['second']}>{text.slice(0, 80)}</bdi>,
      },
    ]
  }, [t, formats, who, at, isReachKnown])
}

/** The moment in the time zone of their profile. */
function TheirTime({ at, timeZone }: { readonly at: number; readonly timeZone: string | undefined }) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const time = timeZone === undefined ? undefined : formats.timeIn(at, timeZone)
  if (timeZone === undefined || time === undefined) return <span className={styles['quiet']}>{t('reach.unknown')}</span>
  const isNight = isNightIn(timeZone, at)
  return (
    <span className={styles['theirTime']} data-tone={isNight ? 'warning' : undefined}>
      {isNight ? (
        <>
          <Icon name="moon" size={15} />
          <span className="sr-only">{t('night.sign')}</span>
        </>
      ) : null}
      <span className="ellipsis">
        {time}, {formats.zone(at, timeZone)}
      </span>
    </span>
  )
}
