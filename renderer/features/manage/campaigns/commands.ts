import { useMemo, useState, useEffect } from 'react'
import type { EngineClient } from '#shared/bridge/index.ts'
import type {
  CampaignReplies,
  CampaignState,
  ListedCampaign,
  CampaignPoll,
  CampaignAttachment,
} from '#shared/domain/manage/campaigns.ts'
import { ok, type ErrorBody, type Result, AppError } from '#shared/lib/app-error.ts'
import type { SavedFile } from '#shared/domain/export.ts'
import { useMinute, useSecond } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { byCursor, useLoaded, usePagesOf } from '../loading.ts'
import { useTopic } from '../state.ts'
import { chunksOf } from '../../../bridge/chunks.ts'
import { pictureSize } from '../../../lib/files/picture-size.ts'
import { command } from '../../../store/command.ts'

type Input<Name extends keyof EngineClient['campaigns']> = Parameters<EngineClient['campaigns'][Name]>[0]

/** Quiet: errors are shown in place of what was asked for, or in the form that asked. */
const quiet = { quiet: true }

const loadCampaigns = command('campaigns/listed', (input: Input<'list'>, engine) => engine.campaigns.list(input), quiet)
export const loadCampaign = command(
  'campaigns/opened',
  (input: Input<'get'>, engine) => engine.campaigns.get(input),
  quiet,
)
const loadCampaignReplies = command(
  'campaigns/repliesCounted',
  (input: Input<'replies'>, engine) => engine.campaigns.replies(input),
  quiet,
)
export const createCampaign = command(
  'campaigns/created',
  (input: Input<'create'>, engine) => engine.campaigns.create(input),
  quiet,
)
export const changeCampaign = command(
  'campaigns/changed',
  (input: Input<'change'>, engine) => engine.campaigns.change(input),
  quiet,
)
export const removeCampaign = command(
  'campaigns/removed',
  (input: Input<'remove'>, engine) => engine.campaigns.remove(input),
  quiet,
)
export const startCampaign = command(
  'campaigns/started',
  (input: Input<'start'>, engine) => engine.campaigns.start(input),
  quiet,
)
export const stopCampaign = command(
  'campaigns/stopped',
  (input: Input<'stop'>, engine) => engine.campaigns.stop(input),
  quiet,
)
export const createCampaignPoll = command(
  'campaigns/pollCreated',
  (input: Input<'createPoll'>, engine) => engine.campaigns.createPoll(input),
  quiet,
)
const loadCampaignPoll = command(
  'campaigns/pollLoaded',
  (input: Input<'poll'>, engine) => engine.campaigns.poll(input),
  quiet,
)
type FileToSend = {
  readonly file: File
  readonly signal: AbortSignal
  /** The share of it that was handed over, 0 to 1. */
  readonly onProgress: (share: number) => void
}

/** Uploads a file of this device; what has arrived of it is dropped when `signal` is aborted or it cannot be read. */
export const sendCampaignFile = command(
  'campaigns/fileSent',
  async ({ file, signal, onProgress }: FileToSend, engine): Promise<CampaignAttachment> => {
    const { name, size: sizeBytes } = file
    const mimeType = file.type === '' ? 'application/octet-stream' : file.type
    const facts = { name, mimeType, sizeBytes, ...(await pictureSize(file)) }
    let id: string | undefined
    try {
      for await (const { base64, from } of chunksOf(file)) {
        if (signal.aborted) break
        onProgress(from / sizeBytes)
        const reply = await engine.campaigns.sendFile({ ...facts, id, base64 })
        id = reply.attachment === undefined ? reply.id : undefined
        if (reply.attachment !== undefined) return reply.attachment
      }
      throw new AppError('upload/size-mismatch')
    } finally {
      if (id !== undefined) await engine.campaigns.dropFile({ id })
    }
  },
  quiet,
)
export const dryRunStep = command(
  'campaigns/tried',
  (input: Input<'dryRun'>, engine) => engine.campaigns.dryRun(input),
  quiet,
)
export const loadDryRunPeople = command(
  'campaigns/peopleListed',
  (input: Input<'people'>, engine) => engine.campaigns.people(input),
  quiet,
)
/** Nobody looks at the people of a dry run any more. */
export const endDryRun = command(
  'campaigns/tryEnded',
  (input: Input<'endDryRun'>, engine) => engine.campaigns.endDryRun(input),
  quiet,
)
export const loadCampaignDrafts = command(
  'campaigns/draftsLoaded',
  (_input: void, engine) => engine.campaigns.drafts({}),
  quiet,
)
export const keepCampaignDraft = command(
  'campaigns/draftKept',
  (input: Input<'keepDraft'>, engine) => engine.campaigns.keepDraft(input),
  quiet,
)
/** Segments and people whose name contains the text. */
export const findAudience = command(
  'campaigns/audienceFound',
  async (find: string, engine) => {
    const [{ segments }, { people }] = await Promise.all([
      engine.segments.list({ find }),
      engine.directory.list({ find, state: 'active', sort: { by: 'name', direction: 1 } }),
    ])
    return { segments: segments.slice(0, 8), people: people.slice(0, 8) }
  },
  quiet,
)
export const exportCampaign = command(
  'campaigns/exported',
  (input: Parameters<EngineClient['data']['exportCampaign']>[0], engine) => engine.data.exportCampaign(input),
  quiet,
)
export const exportDryRun = command(
  'campaigns/tryExported',
  (input: Parameters<EngineClient['data']['exportDryRun']>[0], engine) => engine.data.exportDryRun(input),
  quiet,
)

type CampaignFilter = { readonly find: string; readonly state?: CampaignState }

/** While something is being sent, it is asked for again this often. */
const TURN_MS = 2_000

/** The campaigns of the server. Nothing announces those of others: they are loaded again every minute. */
export function useCampaigns({ find, state }: CampaignFilter) {
  const dispatch = useAppDispatch()
  const [asOf, setAsOf] = useState<number>()
  const load = useMemo(
    () =>
      byCursor(async (after) => {
        const states = state === undefined ? undefined : [state]
        const loaded = await dispatch(loadCampaigns({ find, states, after }))
        if (!loaded.ok) return loaded
        setAsOf(loaded.value.asOf)
        return ok({ rows: loaded.value.campaigns, next: loaded.value.next })
      }),
    [dispatch, find, state],
  )
  const topic = useTopic('campaigns')
  const minute = useMinute()
  const [running, setRunning] = useState(false)
  const turn = useTurn(running)
  const list = usePagesOf(load, `${state} ${find}`, topic + Math.floor(minute / 60_000) + turn)
  const isRunning = list.rows.some(({ state }) => state === 'in_progress')
  if (isRunning !== running) setRunning(isRunning)
  return { list, asOf }
}

/** One campaign, followed while it is being sent. */
export function useCampaign(id: string) {
  const load = useMemo(() => loadCampaign({ id }), [id])
  const topic = useTopic('campaigns')
  const minute = useMinute()
  const [running, setRunning] = useState(false)
  const turn = useTurn(running)
  // Whoever answers has read it.
  const replies = useTopic('campaign-replies')
  const loaded = useLoaded(load, `${topic} ${replies} ${minute} ${turn}`)
  const isRunning = loaded.value?.campaign.state === 'in_progress'
  if (loaded.value !== undefined && isRunning !== running) setRunning(isRunning)
  return loaded
}

/** What this device knows of the answers to it; counted again when there is another one. */
export function useReplies({ id, state, stats }: ListedCampaign): CampaignReplies | undefined {
  const load = useMemo(() => loadCampaignReplies({ id }), [id])
  const topic = useTopic('campaign-replies')
  const minute = useMinute()
  return useLoaded(load, `${topic} ${minute} ${state} ${stats.messagesSent}`).value?.replies
}

const useTurn = (running: boolean): number => Math.floor(useSecond(() => running) / TURN_MS)

/** Saves a table: says where it is, or why it is not. */
export function useExport(write: () => Promise<Result<{ readonly saved?: SavedFile }, ErrorBody>>) {
  const t = useTexts('campaigns')
  const [working, setWorking] = useState(false)
  const formMessage = useRemark()
  const save = async (): Promise<void> => {
    setWorking(true)
    const done = await write()
    setWorking(false)
    if (!done.ok) return formMessage.refuse(done.error)
    formMessage.clear()
    if (done.value.saved !== undefined) announce(t('exported', { file: done.value.saved.fileName }))
  }
  return { working, text: formMessage.text, save: () => void save() }
}

/** The poll of a message: `gone` where the server has none anymore, absent while it is loaded or cannot be. */
export function usePoll(pollId: string | undefined): CampaignPoll | 'gone' | undefined {
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly poll: CampaignPoll | 'gone' }>()
  useEffect(() => {
    let wanted = true
    const load = async (id: string): Promise<void> => {
      const reply = await dispatch(loadCampaignPoll({ id }))
      if (wanted && reply.ok) setLoaded({ id, poll: reply.value.poll ?? 'gone' })
    }
    if (pollId !== undefined && !offline) void load(pollId)
    return () => {
      wanted = false
    }
  }, [dispatch, pollId, offline])
  return loaded?.id === pollId ? loaded?.poll : undefined
}
