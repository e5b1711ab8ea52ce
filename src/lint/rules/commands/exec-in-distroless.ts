import type { Rule } from '../../rule.js';
import { programOf } from '../../subject/commands.js';

export const execInDistroless: Rule = {
  id: 'exec-in-distroless',
  severity: 'warning',
  summary: 'a probe runs a program that its image does not contain',
  reason: 'Distroless and scratch images have no shell and no tools, so no attempt can start.',
  sources: ['https://github.com/GoogleContainerTools/distroless'],
  checkProbe: ({ probe, path, member }) => {
    const { image } = member.container;
    const program = programOf(probe.exec?.command ?? []);
    const bare = /distroless/.test(image) && !/(?:[:-]debug|python|java|nodejs)/.test(image);
    if (
      !bare ||
      !/^(?:(?:ba|da|a)?sh|cat|curl|wget|nc|test|ls|pgrep|grep|stat|true)$/.test(program)
    )
      return [];
    return {
      path: `${path}.exec.command`,
      message: `there is no ${program} in ${image}`,
      hint: 'use httpGet, grpc or tcpSocket',
    };
  },
};
