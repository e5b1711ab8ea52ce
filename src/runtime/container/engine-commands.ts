import type { Readable } from 'node:stream';

import { JsonReader, tryParseJson } from '../../api/index.js';
import { type PulledImage, RuntimeError } from '../../kubelet/ports.js';
import { CALL_LIMIT, type EngineCli, type EngineStream, MAX_LISTING } from './engine-cli.js';

export type EngineCommands = ReturnType<typeof engineCommands>;
export type EngineImages = EngineCommands['images'];

/** Returns the commands that create, change and remove what an engine has. Calls may reject with a RuntimeError. */
export function engineCommands(cli: EngineCli) {
  return {
    images: engineImages(cli),
    ...volumeCommands(cli),

    create: (args: readonly string[], onWarning?: (line: string) => void): Promise<string> =>
      cli.run(['create', '--pull', 'never', ...args], onWarning && { onWarning }),

    async start(id: string): Promise<void> {
      await cli.run(['start', id]);
    },

    /** Sends TERM, and KILL after the grace period; resolves when the containers have ended. Some of them may be gone. */
    stop(ids: readonly string[], gracePeriodSeconds: number): Promise<void> {
      const grace = Math.max(0, Math.ceil(gracePeriodSeconds));
      const limit = grace * 1000 + CALL_LIMIT;
      return cli.runIfPresent(['stop', '-t', String(grace), ...ids], { limit });
    },

    /** Kills a container that may have ended already. */
    kill: (id: string): Promise<void> => cli.runIfPresent(['kill', id]),

    /** Removes containers, some of which may be gone, with their anonymous volumes. */
    remove: (ids: readonly string[]): Promise<void> =>
      cli.runIfPresent(['rm', '--force', '--volumes', ...ids]),

    /** Extracts an archive into a folder of a container, `ID:PATH`. */
    async copyIn(target: string, archive: Uint8Array | Readable): Promise<void> {
      // Without the flag, which is docker's default, podman would give everything to the container's user.
      const limit = archive instanceof Uint8Array ? CALL_LIMIT : 0;
      await cli.run(['cp', '--archive=false', '-', target], { input: archive, limit });
    },

    /** Returns the beginning of an archive of `ID:PATH`, or undefined where there is no such file. */
    async copyOut(source: string, maxBytes: number): Promise<Uint8Array | undefined> {
      const end = await cli.call(['cp', source, '-'], { maxOutput: maxBytes });
      return end.kind === 'exited' && end.exitCode === 0 ? end.stdout : undefined;
    },

    /** Reads all files of a container as an archive. */
    exportFiles: (id: string): EngineStream => cli.stream(['cp', `${id}:/.`, '-']),

    async networks(): Promise<readonly string[]> {
      return linesOf(await cli.run(['network', 'ls', '--format', '{{.Name}}']));
    },

    /** Returns the architecture of the engine's machine, as Go names it. */
    architecture: (): Promise<string> => cli.run(cli.kind.architecture),
  };
}

function volumeCommands(cli: EngineCli) {
  return {
    /** Returns the path of a volume on the engine's machine, or undefined where no such volume has this label. */
    async volumePath(name: string, label: string): Promise<string | undefined> {
      const format = `{{if index .Labels "${label}"}}{{.Mountpoint}}{{end}}`;
      const path = await unlessNotFound(cli.run(['volume', 'inspect', '--format', format, name]));
      return path === '' ? undefined : path;
    },

    async createVolume(name: string, args: readonly string[]): Promise<void> {
      await cli.run(['volume', 'create', ...args, name]);
    },

    async volumesWith(label: string): Promise<readonly string[]> {
      return linesOf(await cli.run(['volume', 'ls', '--quiet', '--filter', `label=${label}`]));
    },

    /** Returns the value of a label of each of these volumes; one that is gone by now is left out. */
    async labelsOfVolumes(names: readonly string[], label: string): Promise<readonly string[]> {
      if (names.length === 0) return [];
      // A volume that is gone fails the command, which still prints the others.
      const end = await cli.call(['volume', 'inspect', ...names], { maxOutput: MAX_LISTING });
      const list =
        end.kind === 'exited' ? tryParseJson(new TextDecoder().decode(end.stdout)) : undefined;
      if (list === undefined) throw new RuntimeError(`the volumes cannot be inspected`);
      const volumes = new JsonReader({ list }).list('list');
      const values = volumes.map((volume) => volume.in('Labels').text(label));
      return values.filter((value) => value !== '');
    },

    removeVolumes: (names: readonly string[]): Promise<void> =>
      cli.runIfPresent(['volume', 'rm', '--force', ...names]),
  };
}

function engineImages(cli: EngineCli) {
  const inspect = (image: string, format: string): Promise<string | undefined> =>
    unlessNotFound(cli.run(['image', 'inspect', '--format', format, '--', image]));
  const getImageRef = (image: string): Promise<string | undefined> => inspect(image, '{{.Id}}');
  return {
    getImageRef,

    /** Returns the image's user; empty for root. */
    userOf: async (image: string): Promise<string> =>
      (await inspect(image, '{{.Config.User}}')) ?? '',

    async pullImage(image: string): Promise<PulledImage> {
      await cli.run(['pull', '--quiet', '--', image], { limit: 0 });
      const ref = (await getImageRef(image)) ?? image;
      const size = Number(await inspect(image, '{{.Size}}'));
      return { ref, size: Number.isFinite(size) ? size : 0 };
    },

    async import(archive: Uint8Array, name: string): Promise<void> {
      await cli.run(['import', '-', name], { input: archive });
    },
  };
}

/** Resolves with undefined where the engine does not know what was asked for. */
export async function unlessNotFound<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RuntimeError && error.code === 'notFound') return undefined;
    throw error;
  }
}

function linesOf(printed: string): readonly string[] {
  return printed.split('\n').filter((line) => line !== '');
}
