import type { EngineClient } from '#shared/bridge/index.ts'
import { command } from '../../../store/command.ts'

type Input<Name extends keyof EngineClient['integrations']> = Parameters<EngineClient['integrations'][Name]>[0]

/** Quiet: errors are shown in place of what was asked for, or in the form that asked. */
const quiet = { quiet: true }

export const loadIntegrations = command(
  'integrations/listed',
  (_input: void, engine) => engine.integrations.list(),
  quiet,
)
export const createIntegration = command(
  'integrations/created',
  (input: Input<'create'>, engine) => engine.integrations.create(input),
  quiet,
)
export const changeIntegration = command(
  'integrations/changed',
  (input: Input<'change'>, engine) => engine.integrations.change(input),
  quiet,
)
export const pauseIntegrations = command('integrations/paused', (input: Input<'pause'>, engine) =>
  engine.integrations.pause(input),
)
export const revokeIntegrations = command(
  'integrations/revoked',
  (input: Input<'revoke'>, engine) => engine.integrations.revoke(input),
  quiet,
)
export const revealSecret = command('integrations/revealed', (input: Input<'reveal'>, engine) =>
  engine.integrations.reveal(input),
)
export const loadCalls = command(
  'integrations/callsListed',
  (input: Input<'calls'>, engine) => engine.integrations.calls(input),
  quiet,
)
export const retryNow = command('integrations/retried', (input: Input<'retry'>, engine) =>
  engine.integrations.retry(input),
)
export const testIntegration = command(
  'integrations/tested',
  (input: Input<'test'>, engine) => engine.integrations.test(input),
  quiet,
)
export const probeAddress = command(
  'integrations/probed',
  (input: Input<'probe'>, engine) => engine.integrations.probe(input),
  quiet,
)
