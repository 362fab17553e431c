import { AppError } from '#shared/lib/app-error.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { CampaignAttachment } from '#shared/domain/manage/campaigns.ts'
import { chunksOf } from '../../../bridge/chunks.ts'
import { pictureSize } from '../../../lib/files/picture-size.ts'
import { command } from '../../../store/command.ts'

type Input<Name extends keyof EngineClient['campaigns']> = Parameters<EngineClient['campaigns'][Name]>[0]

/** Quiet: errors are shown in place of what was asked for, or in the form that asked. */
const quiet = { quiet: true }

export const loadCampaigns = command(
  'campaigns/listed',
  (input: Input<'list'>, engine) => engine.campaigns.list(input),
  quiet,
)
export const loadCampaign = command(
  'campaigns/opened',
  (input: Input<'get'>, engine) => engine.campaigns.get(input),
  quiet,
)
export const loadCampaignReplies = command(
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
export const loadCampaignPoll = command(
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
