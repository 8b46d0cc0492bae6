// npx fake-calendar exec -- dotnet test    (packages: Google.Apis.Calendar.v3, xunit)
using System.Net;
using System.Text;
using Google;
using Google.Apis.Auth.OAuth2;
using Google.Apis.Calendar.v3;
using Google.Apis.Services;
using Xunit;

public class CalendarTests
{
    static readonly string Address = Environment.GetEnvironmentVariable("FAKE_CALENDAR_URL")!;
    static readonly HttpClient Http = new();

    readonly CalendarService api = new(new BaseClientService.Initializer
    {
        BaseUri = Address + "/calendar/v3/",
        HttpClientInitializer = GoogleCredential.FromAccessToken("dotnet~alice@example.com"),
    });

    /// <summary>Sends a request to the world "dotnet", and returns its status.</summary>
    static async Task<HttpStatusCode> Control(HttpMethod method, string path, string body = "{}")
    {
        var request = new HttpRequestMessage(method, Address + "/w/dotnet/_control" + path);
        if (method == HttpMethod.Post) request.Content = new StringContent(body, Encoding.UTF8, "application/json");
        return (await Http.SendAsync(request)).StatusCode;
    }

    [Fact]
    public async Task A_call_is_refused_once()
    {
        await Control(HttpMethod.Post, "/reset");
        await Control(HttpMethod.Post, "/faults", """{"on": "events.quickAdd", "do": {"fail": "rateLimitExceeded"}}""");

        var error = await Assert.ThrowsAsync<GoogleApiException>(() => api.Events.QuickAdd("primary", "Lunch").ExecuteAsync());
        await api.Events.QuickAdd("primary", "Lunch").ExecuteAsync();

        Assert.Equal(HttpStatusCode.Forbidden, error.HttpStatusCode);
        Assert.Equal("Lunch", Assert.Single((await api.Events.List("primary").ExecuteAsync()).Items).Summary);
        Assert.Equal(HttpStatusCode.OK, await Control(HttpMethod.Get, "/faults/verify"));
    }
}
