import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, describe, expect, it, onTestFinished } from 'vitest';

import {
  cgroupFile,
  factsByLsof,
  factsOfMachine,
  lsofFacts,
  oomKills,
  periodsIn,
  throttledRead,
} from '../../src/runtime/process-facts.js';
import { isGone } from './is-gone.js';
import { LocalRig } from './local-rig.js';

const rigs: LocalRig[] = [];

afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.runtime.close(0)));
});

const SERVER =
  "require('net').createServer().listen(0, process.argv[1], function () { console.log(this.address().port) })";

/** Fills its queue of two connections, asks for a third, and takes none. */
const FULL_SERVER = `
  const net = require('net');
  const server = net.createServer().listen(0, '127.0.0.1', 1, () => {
    for (let left = 3; left > 0; left--) net.connect(server.address().port, '127.0.0.1');
    process.nextTick(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });`;

const OTHER_SOCKETS =
  "require('net').createServer().listen(process.argv[1]); require('dgram').createSocket('udp4').bind(0)";

describe.runIf(process.platform === 'linux')('on Linux', () => {
  it.each(['127.0.0.1', '127.0.0.2', '0.0.0.0', '::1'])(
    'a process shows that it listens on %s, and its command',
    async (address) => {
      const rig = LocalRig.of([process.execPath, '-e', SERVER, address]);
      rigs.push(rig);
      const id = await rig.start();
      await expect.poll(async () => (await rig.runtime.inspect(id))?.sockets.length).toBe(1);
      const facts = await rig.runtime.inspect(id);
      expect(facts).toMatchObject({ started: true, sockets: [{ address }] });
      expect(facts?.processes[0]).toMatch(/^node -e /);
      // A port at the end of a long command line is not one that the system has chosen.
      expect(facts?.processes[0]).toContain(address);
    },
  );

  it('a process that listens on no TCP port shows its UDP port and its UNIX socket', async () => {
    const socket = join(tmpdir(), `kprobe-facts-${process.pid}.sock`);
    const rig = LocalRig.of([process.execPath, '-e', OTHER_SOCKETS, socket]);
    rigs.push(rig);
    const id = await rig.start();
    const facts = async () => rig.runtime.inspect(id);
    await expect.poll(async () => (await facts())?.unix).toEqual([socket]);
    await expect.poll(async () => (await facts())?.udp?.length).toBe(1);
    rmSync(socket);
  });

  it('a process shows the servers that it is connected to, and one that has not accepted yet', async () => {
    const rig = LocalRig.of([process.execPath, '-e', FULL_SERVER]);
    rigs.push(rig);
    const id = await rig.start();
    const facts = async () => rig.runtime.inspect(id);
    await expect.poll(async () => (await facts())?.peers?.length).toBe(2);
    const { sockets, peers } = (await facts())!;
    expect(peers).toEqual(expect.arrayContaining([sockets[0], { ...sockets[0], isAsked: true }]));
  });

  it('processes show how long they and their ended children have used a CPU', async () => {
    const work = 'until [ $((n = ${n:-0} + 1)) = 200000 ]; do :; done';
    const rig = LocalRig.of(['sh', '-c', `(${work}); exec sleep 60`]);
    rigs.push(rig);
    const id = await rig.start();
    const facts = async () => rig.runtime.inspect(id);
    await expect
      .poll(async () => (await facts())?.processes, { timeout: 30_000 })
      .toEqual(['sleep 60']);
    expect((await facts())?.busyTime).toBeGreaterThan(0.02);
  });

  it('processes show the least CPU time after which the system kills one', async () => {
    const rig = LocalRig.of([
      'sh',
      '-c',
      '(ulimit -t 700; exec sleep 60) & ulimit -t 900; exec sleep 60',
    ]);
    rigs.push(rig);
    const id = await rig.start();
    const facts = async () => (await rig.runtime.inspect(id))?.cpuSeconds;
    await expect.poll(facts, { timeout: 30_000 }).toBe(700);
  });

  it('the machine shows sockets of servers that kprobe has not started', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const facts = factsOfMachine();
    server.close();
    expect(facts?.started).toBe(false);
    expect(facts?.sockets).toContainEqual({ address: '127.0.0.1', port });
  });

  it('the end of a process has its signal and what it left behind', async () => {
    const killed = LocalRig.of(['sh', '-c', 'kill -SEGV $$']);
    // The child is a shell until it has become what it runs.
    const untilSleeping = 'until grep -aq ^sleep /proc/$!/cmdline; do :; done';
    const forked = LocalRig.of(['sh', '-c', `sleep 30 & ${untilSleeping}; exit 0`]);
    rigs.push(killed, forked);
    await killed.ended(await killed.start());
    await forked.ended(await forked.start());
    expect(killed.exits).toMatchObject([{ exitCode: 139, signal: 'SIGSEGV' }]);
    expect(forked.exits).toMatchObject([{ exitCode: 0, left: ['sleep 30'] }]);
    expect(forked.exits[0]).not.toHaveProperty('daemons');
  });

  it('the end of a process has the ids of daemons without its mark, which live on', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'kprobe-daemon-')), 'pid');
    const daemon = 'env -i setsid sh -c \'echo $$ >"$0"; while :; do sleep 1; done\' "$0" &';
    const rig = LocalRig.of(['sh', '-c', `${daemon} until [ -s "$0" ]; do :; done; exit 0`, file]);
    rigs.push(rig);
    await rig.ended(await rig.start());
    const pid = Number(readFileSync(file, 'utf8'));
    onTestFinished(() => void process.kill(-pid, 'SIGKILL'));
    expect(rig.exits).toMatchObject([
      { exitCode: 0, daemons: expect.arrayContaining([pid]) as unknown },
    ]);
    expect(isGone(pid)).toBe(false);
  });

  it('a daemon of the same file that was there before a process is not of it', async () => {
    const daemon = "setsid sh -c 'echo $$; while :; do sleep 1; done' & exit 0";
    const { stdout } = spawn('sh', ['-c', daemon]);
    const [output] = (await once(stdout, 'data')) as [Buffer];
    const pid = Number(output.toString());
    onTestFinished(() => void process.kill(-pid, 'SIGKILL'));
    const rig = LocalRig.of(['sh', '-c', 'exit 0']);
    rigs.push(rig);
    await rig.ended(await rig.start());
    expect(rig.exits[0]?.daemons ?? []).not.toContain(pid);
  });
});

it.each([
  ['memory', '0::/a\n', '/sys/fs/cgroup/a/memory.events'],
  ['memory', '4:memory:/docker/a\n0::/\n', '/sys/fs/cgroup/memory/docker/a/memory.oom_control'],
  ['freezer', '6:cpu,freezer:/b\n4:memory:/a\n', '/sys/fs/cgroup/freezer/b/freezer.state'],
  ['cpu', '3:cpuset:/a\n2:cpuacct,cpu:/b\n0::/\n', '/sys/fs/cgroup/cpu/b/cpu.stat'],
  ['cpu', '0::/a\n', '/sys/fs/cgroup/a/cpu.stat'],
  ['freezer', '1:name=systemd:/freezer\n0::/a\n', '/sys/fs/cgroup/a/cgroup.events'],
] as const)('the file of the controller %s is found by %j', (controller, groups, file) => {
  expect(cgroupFile(0, controller, groups)).toBe(file);
});

it('reads the kills for lack of memory from the files of both versions', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'kprobe-kills-')), 'file');
  expect(oomKills(file)).toBe(0);
  for (const text of ['oom_kill_disable 0\nunder_oom 0\noom_kill 2\n', 'oom 3\noom_kill 2\n']) {
    writeFileSync(file, text);
    expect(oomKills(file)).toBe(2);
  }
});

it('reads the CPU periods of a cgroup that has a limit', () => {
  const text = 'usage_usec 9\nnr_periods 40\nnr_throttled 10\nthrottled_usec 5\nnr_bursts 0\n';
  expect(periodsIn(text)).toEqual({ periods: 40, throttled: 10 });
  expect(periodsIn('nr_periods 0\nnr_throttled 0\n')).toBeUndefined();
  expect(periodsIn('')).toBeUndefined();
});

it('reads the addresses and families of sockets from what lsof prints', () => {
  const text =
    'p77\ncnode\nf20\ntIPv4\nn127.0.0.1:5000\nf21\ntIPv6\nn*:8080\nf22\ntIPv6\nn[::1]:8081\np78\ncnginx\nf5\ntIPv4\nn*:80\n';
  expect(lsofFacts(text)).toEqual({
    started: true,
    sockets: [
      { address: '127.0.0.1', port: 5000 },
      { address: '::', port: 8080 },
      { address: '::1', port: 8081 },
      { address: '0.0.0.0', port: 80 },
    ],
    processes: ['node', 'nginx'],
  });
});

it('shows no sockets where lsof is not installed', async () => {
  const { PATH } = process.env;
  process.env['PATH'] = '/nowhere';
  const facts = await factsByLsof(process.pid);
  process.env['PATH'] = PATH;
  expect(facts).toBeUndefined();
});

it('facts that take long to read are read a tenth of the time, others each time', () => {
  for (const [takes, expected] of [
    [20, 10],
    [0, 2000],
  ] as const) {
    let [now, reads] = [0, 0];
    const facts = throttledRead({ now: () => now }, () => {
      now += takes;
      return ++reads;
    });
    while (now < 2000) {
      expect(facts()).toBe(reads);
      now++;
    }
    expect(reads).toBe(expected);
  }
});
