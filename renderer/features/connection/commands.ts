import { command } from '../../store/command.ts'

export const reconnect = command('connection/tried', (_input: undefined, engine) => engine.session.reconnect())
