import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Services } from '../work.ts'
import type { Special } from './server.ts'

/** Upper bounds in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** Counts the responses of all ports since the start. */
export class Meter {
  readonly #byStatus = new Map<number, number>()
  /** How many took at most as long as the bound at the same place. */
  readonly #within = BOUNDS.map(() => 0)
  #count = 0
  #seconds = 0

  add(status: number, seconds: number): void {
    this.#byStatus.set(status, (this.#byStatus.get(status) ?? 0) + 1)
    for (const [at, bound] of BOUNDS.entries()) if (seconds <= bound) this.#within[at] = (this.#within[at] ?? 0) + 1
    this.#count += 1
    this.#seconds += seconds
  }

  /** By status, in ascending order. */
  statuses(): readonly (readonly [status: number, count: number])[] {
    return [...this.#byStatus].toSorted(([one], [other]) => one - other)
  }

  durations() {
    const within = BOUNDS.map((bound, at) => [bound, this.#within[at] ?? 0] as const)
    return { within, count: this.#count, seconds: this.#seconds }
  }
}

/** One number about the whole server. Never about a person or a channel. */
export type Metric = {
  readonly name: string
  readonly help: string
  readonly type: 'gauge' | 'counter'
  /** Absent: not known, and not shown. */
  readonly value: number | undefined
}

/** The text format of Prometheus. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * `GET /metrics`, on loopback only, like health.
 *
 * @param more what only the caller knows
 */
export function metrics(services: Services, more: () => readonly Metric[]): Special {
  const delay = monitorEventLoopDelay()
  delay.enable()
  return ({ request, response, url }) => {
    if (url.pathname !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) return undefined
    return {
      operation: 'Metrics',
      run: async () => {
        const { bytes } = await services.blobs.free()
        const own = ofServer(services, bytes)
        const delayed: Metric = {
          name: 'parlor_event_loop_delay_seconds',
          help: 'How late the event loop was, at the 99th percentile since the previous reading.',
          type: 'gauge',
          value: delay.percentile(99) / 1e9,
        }
        delay.reset()
        const text = [...own, delayed, ...ofProcess(services), ...more()].map(written).join('') + ofRequests(services)
        response.writeHead(200, {
          'Content-Type': CONTENT_TYPE,
          'Content-Length': Buffer.byteLength(text),
          'Cache-Control': 'no-store',
          'X-Content-Type-Options': 'nosniff',
        })
        response.end(request.method === 'HEAD' ? undefined : text)
      },
    }
  }
}

function ofServer({ db, hub }: Services, free: number): readonly Metric[] {
  const [pages, size] = ['page_count', 'page_size'].map((name) => Number(db.pragma(name)))
  return [
    { name: 'parlor_connections', help: 'Realtime connections that are open.', type: 'gauge', value: hub.size },
    {
      name: 'parlor_database_bytes',
      help: 'The size of the database, without its log.',
      type: 'gauge',
      value: (pages ?? 0) * (size ?? 0),
    },
    { name: 'parlor_disk_free_bytes', help: 'What is free on the disk of the uploads.', type: 'gauge', value: free },
  ]
}

function ofProcess({ clock }: Services): readonly Metric[] {
  const { user, system } = process.cpuUsage()
  return [
    {
      name: 'process_resident_memory_bytes',
      help: 'Memory of the process.',
      type: 'gauge',
      value: process.memoryUsage.rss(),
    },
    {
      name: 'process_cpu_seconds_total',
      help: 'Processor time of the process.',
      type: 'counter',
      value: (user + system) / 1e6,
    },
    {
      name: 'process_start_time_seconds',
      help: 'When the process was started.',
      type: 'gauge',
      value: Math.round(clock.now() / 1_000 - process.uptime()),
    },
  ]
}

const header = ({ name, help, type }: Omit<Metric, 'value' | 'type'> & { readonly type: string }): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`

const written = (metric: Metric): string =>
  metric.value === undefined ? '' : `${header(metric)}${metric.name} ${metric.value}\n`

function ofRequests({ meter }: Services): string {
  const total = 'parlor_requests_total'
  const byStatus = meter.statuses().map(([status, count]) => `${total}{status="${status}"} ${count}\n`)
  const duration = 'parlor_request_duration_seconds'
  const { within, count, seconds } = meter.durations()
  const buckets = within.map(([bound, at]) => `${duration}_bucket{le="${bound}"} ${at}\n`)
  return [
    header({ name: total, help: 'Responses by status, without long polls.', type: 'counter' }),
    ...byStatus,
    header({ name: duration, help: 'How long responses took, without long polls.', type: 'histogram' }),
    ...buckets,
    `${duration}_bucket{le="+Inf"} ${count}\n`,
    `${duration}_sum ${seconds}\n${duration}_count ${count}\n`,
  ].join('')
}
