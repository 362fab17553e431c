import { useId, useState } from 'react'
import type { CampaignReading } from '#shared/domain/manage/campaigns.ts'
import { useFormats, useTexts } from '../../../../i18n/index.ts'
import { Button } from '../../../../ui/Button/Button.tsx'
import styles from '../Campaigns.module.css'

type Props = { readonly readings: readonly CampaignReading[] }

/** How it went: what the server said each time that it was asked and a figure had changed. */
export function Course({ readings }: Props) {
  const t = useTexts('campaigns')
  const caption = useId()
  const [asTable, setAsTable] = useState(false)
  // One time is no course.
  const canDraw = readings.length > 1
  return (
    <section className={styles['course']} aria-labelledby={caption}>
      <header className={styles['courseHead']}>
        <h2 id={caption} className={styles['asideHead']}>
          {t('course.title')}
        </h2>
        {canDraw ? (
          <Button size="small" variant="link" onClick={() => setAsTable(!asTable)}>
            {t(asTable ? 'course.asChart' : 'course.asTable')}
          </Button>
        ) : null}
      </header>
      <p className={styles['hint']}>{t('course.hint')}</p>
      {canDraw && !asTable ? <Chart readings={readings} /> : <CourseTable readings={readings} caption={caption} />}
    </section>
  )
}

const LINES = ['sent', 'delivered', 'read'] as const
type Line = (typeof LINES)[number]

const valueOf = ({ usersSent, usersDelivered, usersRead }: CampaignReading, line: Line): number =>
  line === 'sent' ? usersSent : line === 'read' ? usersRead : (usersDelivered ?? 0)

/** The lines of a drawing of this size are stretched to the width there is; what is written stands beside it. */
const SIZE = { width: 1_000, height: 160 } as const
/** Where the last note stands, so that what it says can be seen. */
const LAST = 960

/** A figure stays what it was until it is noted again: nothing is drawn between two notes that nobody saw. */
function Chart({ readings }: Props) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const [first, last] = [readings[0], readings.at(-1)]
  if (first === undefined || last === undefined) return null
  const lines = LINES.filter((line) => line !== 'delivered' || last.usersDelivered !== undefined)
  const most = Math.max(1, ...readings.flatMap((reading) => lines.map((line) => valueOf(reading, line))))
  const span = Math.max(1, last.at - first.at)
  const pathOf = (line: Line): string =>
    readings
      .filter(({ usersDelivered }) => line !== 'delivered' || usersDelivered !== undefined)
      .map((reading, index) => {
        const x = Math.round(((reading.at - first.at) / span) * LAST)
        const y = Math.round((1 - valueOf(reading, line) / most) * SIZE.height)
        return index === 0 ? `M${x} ${y}` : `H${x}V${y}`
      })
      .join('')
      .concat(`H${SIZE.width}`)
  const name = (line: Line): string => t(`course.lines.${line}`)
  const values = lines.map((line) => `${name(line)}: ${formats.number(valueOf(last, line))}`)
  return (
    <div className={styles['chart']}>
      <div
        role="img"
        aria-label={t('course.chart', { time: formats.dayAndTime(last.at), values: formats.list(values) })}
        className={styles['plot']}
      >
        <span className={styles['plotMost']}>{formats.number(most)}</span>
        <span className={styles['plotNone']}>{formats.number(0)}</span>
        <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} preserveAspectRatio="none" aria-hidden="true">
          {lines.map((line) => (
            <path key={line} d={pathOf(line)} data-line={line} />
          ))}
        </svg>
        <span className={styles['plotFrom']}>{formats.dayAndTime(first.at)}</span>
        <span className={styles['plotTo']}>{formats.timeOrDay(last.at, first.at)}</span>
      </div>
      <ul className={styles['legend']} aria-hidden="true">
        {lines.map((line) => (
          <li key={line}>
            <svg viewBox="0 0 24 2" width={24} height={2}>
              <path d="M0 1H24" data-line={line} />
            </svg>
            {name(line)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function CourseTable({ readings, caption }: Props & { readonly caption: string }) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const confirms = readings.at(-1)?.usersDelivered !== undefined
  return (
    <table className={styles['courseTable']} aria-labelledby={caption}>
      <thead>
        <tr>
          <th scope="col">{t('course.at')}</th>
          <th scope="col">{t('course.sent')}</th>
          {confirms ? <th scope="col">{t('progress.delivered')}</th> : null}
          <th scope="col">{t('progress.read')}</th>
          <th scope="col">{t('progress.messages')}</th>
        </tr>
      </thead>
      <tbody>
        {readings.toReversed().map((reading) => (
          <tr key={reading.at}>
            <th scope="row">{formats.dayAndTime(reading.at)}</th>
            <td>{formats.number(reading.usersSent)}</td>
            {confirms ? (
              <td>
                {reading.usersDelivered === undefined ? t('progress.unknown') : formats.number(reading.usersDelivered)}
              </td>
            ) : null}
            <td>{formats.number(reading.usersRead)}</td>
            <td>{formats.number(reading.messagesSent)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
