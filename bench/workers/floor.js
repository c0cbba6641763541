// The floor: a Worker whose every request is one batch on D1, and that batch is nothing. No
// service that asks D1 can be faster.

export default {
  async fetch(_request, env) {
    await env.DB.batch([env.DB.prepare("SELECT 1")]);
    return new Response(null, { status: 200 });
  },
};
